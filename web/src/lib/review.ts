/** A review of a finished game: fetched as it is made, and what moved a seat's chance most. */
import type { GameReview } from "../protocol";
import { get, Problem } from "./api";

const PAUSE = 300;
const LONGER = 3000;
const BUSY = [429, 503];
const MOST_TIMES = 20;

/** A review as it grows: the ledger first, then the decisions. A server that is busy is asked again. */
export async function* growing(table: string, game: number): AsyncGenerator<GameReview> {
  let have = "";
  for (let busy = 0; ; ) {
    let pause = PAUSE;
    try {
      const review = await get<GameReview>(`/tables/${table}/games/${game}/review${have}`);
      yield review;
      if (review.mistakes) return;
      have = review.values.length > 0 ? "?have=ledger" : "";
    } catch (problem) {
      busy += 1;
      if (!(problem instanceof Problem && BUSY.includes(problem.status)) || busy > MOST_TIMES) throw problem;
      pause = LONGER;
    }
    await new Promise((done) => setTimeout(done, pause));
  }
}

/** Something that moved a seat's chance: a card that chance showed, or a move. */
export interface Jump {
  ply: number;
  what: "deal" | "draw" | "flip" | "play";
  seat: number;
  kind: string | null;
  gain: number;
}

const LEAST = 0.04;
const MOST = 6;

/** What moved a seat's chance most, in the order of the game. */
export function jumps(review: GameReview, seat: number): Jump[] {
  const found: Jump[] = [{ ply: 0, what: "deal", seat, kind: null, gain: review.deal[seat] ?? 0 }];
  const luck = review.movers.map(() => 0);
  for (const card of review.chance) {
    const gain = card.luck[seat] ?? 0;
    luck[card.ply] = (luck[card.ply] ?? 0) + gain;
    found.push({ ply: card.ply, what: card.what === "flip" ? "flip" : "draw", seat: card.seat, kind: card.kind, gain });
  }
  review.movers.forEach((mover, ply) => {
    const step = (review.values[ply + 1]?.[seat] ?? 0) - (review.values[ply]?.[seat] ?? 0);
    found.push({ ply, what: "play", seat: mover, kind: null, gain: step - (luck[ply] ?? 0) });
  });
  return found
    .filter((jump) => Math.abs(jump.gain) >= LEAST)
    .sort((a, b) => Math.abs(b.gain) - Math.abs(a.gain))
    .slice(0, MOST)
    .sort((a, b) => a.ply - b.ply);
}

/** What a move would have cost: face-down cards are all alike. */
export function lossOf(losses: Record<string, number>, move: string): number {
  const same = move.startsWith("?") ? Object.keys(losses).find((other) => other.startsWith("?")) : move;
  return losses[same ?? move] ?? 0;
}
