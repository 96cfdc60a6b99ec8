/** Finished games: fetched in pieces, the last ones remembered by this device. */
import type { Frame, Replay } from "../protocol";
import { get } from "./api";

const PIECE = 200;

/** All frames of a game as one pair of eyes saw it (a seat, `audience` or `all`), and who its bots were. */
export async function fetchReplay(table: string, game: number, eyes: string): Promise<{ frames: Frame[]; characters: (number | null)[] }> {
  const frames: Frame[] = [];
  for (;;) {
    const path = `/tables/${table}/games/${game}/replay?eyes=${eyes}&start=${frames.length}&count=${PIECE}`;
    const piece = await get<Replay>(path);
    frames.push(...piece.frames);
    if (piece.frames.length === 0 || frames.length > piece.plies) return { frames, characters: piece.characters };
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
