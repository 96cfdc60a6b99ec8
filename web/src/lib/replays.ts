/** Finished games, fetched in pieces. */
import type { Frame, Replay } from "../protocol";
import { get } from "./api";

const PIECE = 200;

/** All frames of a game as one pair of eyes saw it: a seat, `audience` or `all`. */
export async function frames(table: string, game: number, eyes: string): Promise<Frame[]> {
  const all: Frame[] = [];
  for (;;) {
    const path = `/tables/${table}/games/${game}/replay?eyes=${eyes}&start=${all.length}&count=${PIECE}`;
    const piece = await get<Replay>(path);
    all.push(...piece.frames);
    if (piece.frames.length === 0 || all.length > piece.plies) return all;
  }
}
