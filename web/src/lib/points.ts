/** A share as points of a hundred, with its sign. */
export function points(share: number): string {
  const rounded = Math.round(100 * share);
  return rounded > 0 ? `+${rounded}` : rounded < 0 ? `−${-rounded}` : "0";
}
