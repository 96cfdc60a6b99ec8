/** Tables that begin as soon as we sit at them, so that our browser takes part in the deal. */

const waiting = new Set<string>();

export function beginAt(table: string): void {
  waiting.add(table);
}

/** Is this one of them; says so once. */
export function shouldBegin(table: string): boolean {
  return waiting.delete(table);
}
