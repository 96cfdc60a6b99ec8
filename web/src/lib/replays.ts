/** Finished games: fetched in pieces, the last ones remembered by this device. */
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

export interface Kept {
  table: string;
  game: number;
  names: string[];
  edition?: string;
  /** When it was kept. */
  at?: number;
}

const KEY = "karma.replays";
const MOST = 6;

/** The last finished games that this device can show, offline too. */
export function kept(): Kept[] {
  try {
    return JSON.parse(localStorage.getItem(KEY) ?? "[]") as Kept[];
  } catch {
    return [];
  }
}

/** Remember a game whose frames were fetched: the service worker has them. */
export function keep(replay: Kept): void {
  const others = kept().filter((other) => other.table !== replay.table || other.game !== replay.game);
  try {
    localStorage.setItem(KEY, JSON.stringify([replay, ...others].slice(0, MOST)));
  } catch {
    // A browser that keeps nothing shows no list.
  }
}
