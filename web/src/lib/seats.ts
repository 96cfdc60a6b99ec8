/** Who sits where, and where a round table puts them on a wide screen. */
import type { Portrait } from "./portraits";
import type { Seat, TableInfo } from "../protocol";

type TablePhase = TableInfo["phase"];

export interface SeatState {
  /** The level of the bot that plays here, or null for a person. */
  bot: string | null;
  portrait: Portrait;
  /** Is the person connected. */
  here: boolean;
}

type Taken = Pick<Seat, "bot" | "covered" | "offered">;

/** Does a bot play here for nobody who could come back to the seat? */
export function isFree(seat: Taken): boolean {
  return seat.bot !== null || seat.covered === "left";
}

/** Does a game run, in which a seat changes hands only if the host offers it? */
export function isRunning(phase: TablePhase): boolean {
  return phase === "deal" || phase === "playing";
}

/** The seats that somebody who comes may take over now. */
export function toTakeOver<S extends Taken>(phase: TablePhase, seats: readonly S[]): S[] {
  return seats.filter((seat) => isFree(seat) && (seat.offered || !isRunning(phase)));
}

/** Whole seconds that a seat has left to move; the last tick of the clock may be older than the news of the seat. */
export function secondsLeft(seat: Pick<Seat, "deadline" | "remaining"> | undefined, skew: number, tick: number): number | null {
  if (!seat) return null;
  if (seat.remaining !== null) return Math.ceil(seat.remaining / 1000);
  if (seat.deadline === null) return null;
  return Math.max(0, Math.ceil((seat.deadline - Math.max(tick, Date.now()) - skew) / 1000));
}

/** Points around an oval, in percent of its box, from the lower left over the top to the lower right. */
export function around(count: number): { x: number; y: number }[] {
  // A superellipse leaves more room along the top than an ellipse; points lie at equal distances along it.
  const steps = 720;
  const spread = count <= 2 ? 0.35 : count <= 4 ? 0.75 : count <= 6 ? 0.95 : 1.16;
  const half = (Math.PI / 2) * spread;
  const path: { x: number; y: number; at: number }[] = [];
  let length = 0;
  for (let step = 0; step <= steps; step++) {
    const angle = -half + (2 * half * step) / steps;
    const sin = Math.sin(angle);
    const cos = Math.cos(angle);
    const x = 50 + 43.5 * Math.sign(sin) * Math.abs(sin) ** 0.7;
    const y = 53 - 40 * Math.sign(cos) * Math.abs(cos) ** 0.7;
    const previous = path.at(-1);
    if (previous) length += Math.hypot((x - previous.x) * 1.5, y - previous.y);
    path.push({ x, y, at: length });
  }
  return Array.from({ length: count }, (_, index) => {
    const goal = count === 1 ? length / 2 : (length * index) / (count - 1);
    const point = path.find((candidate) => candidate.at >= goal) ?? path[path.length - 1]!;
    return { x: point.x, y: point.y };
  });
}
