/** What one seat knows, as the server sends it, and small readings of it. No rules: `legal` says what may be done. */

export type MustPlay = { at_least: number } | { at_most: number } | "table-card" | null;

export interface View {
  seat: number | null;
  ply: number;
  edition: string;
  rules: Record<string, unknown>;
  players: string[];
  dealer: number;
  phase: "choose" | "play" | "give" | "draw" | "over";
  actor: number | null;
  legal: string[];
  hand: string[] | null;
  hand_sizes: number[];
  known: string[][];
  face_up: (string | null)[][];
  face_down: boolean[][];
  pile: string[];
  draw_pile: number;
  removed: string[];
  must_play: MustPlay;
  quiet: number;
  places: number[];
  loser: number | null;
}

/** A move's text, taken apart. */
export type Parsed =
  | { type: "choose"; kind: string }
  | { type: "play"; kind: string; count: number }
  | { type: "turn_over"; place: number }
  | { type: "pick_up" }
  | { type: "give"; seat: number }
  | { type: "draw" }
  | { type: "leave" };

export function parseMove(text: string): Parsed {
  if (text === "P") return { type: "pick_up" };
  if (text === "D") return { type: "draw" };
  if (text === "N") return { type: "leave" };
  if (text[0] === "^") return { type: "choose", kind: text.slice(1) };
  if (text[0] === "?") return { type: "turn_over", place: Number(text.slice(1)) };
  if (text[0] === ">") return { type: "give", seat: Number(text.slice(1)) };
  const [kind = "", count = "1"] = text.split("x");
  return { type: "play", kind, count: Number(count) };
}

/** For each kind that may be played now, the counts that may be played, ascending. */
export function playable(legal: readonly string[]): Map<string, number[]> {
  const counts = new Map<string, number[]>();
  for (const text of legal) {
    const move = parseMove(text);
    if (move.type === "play") counts.set(move.kind, [...(counts.get(move.kind) ?? []), move.count]);
  }
  for (const list of counts.values()) list.sort((a, b) => a - b);
  return counts;
}

export function playText(kind: string, count: number): string {
  return count === 1 ? kind : `${kind}x${count}`;
}

/** Where the cards of the next play lie, as far as a screen must know which ones to raise. */
export function sourceOf(view: View, seat: number): "hand" | "face_up" | "face_down" {
  const up = (view.face_up[seat] ?? []).length > 0;
  const down = (view.face_down[seat] ?? []).some(Boolean);
  const hand = (view.hand_sizes[seat] ?? 0) > 0;
  if (hand && !(view.must_play === "table-card" && (up || down))) return "hand";
  return up ? "face_up" : "face_down";
}

/** Does a number satisfy what the view requires: for lighting the ring, never for deciding a move. */
export function fits(mustPlay: MustPlay, number: number): boolean {
  if (mustPlay === null || mustPlay === "table-card") return true;
  return "at_least" in mustPlay ? number >= mustPlay.at_least : number <= mustPlay.at_most;
}

/** Seats in turn order, beginning after one's own (or after the dealer, for the audience). */
export function others(view: View): number[] {
  const count = view.players.length;
  const first = view.seat ?? view.dealer;
  const all = Array.from({ length: count }, (_, step) => (first + 1 + step) % count);
  return view.seat === null ? all : all.slice(0, -1);
}
