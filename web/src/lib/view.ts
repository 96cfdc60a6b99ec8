/** What one seat knows, as the server sends it, and small readings of it. No rules: `legal` says what may be done. */

import type { ViewData } from "../protocol";

export type View = ViewData;
export type MustPlay = View["must_play"];

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

/** The least and the greatest number that are asked for, as the ring shows them. */
export function bounds(must: MustPlay): [least: number, most: number] {
  if (must === null || must === "table-card") return [1, 16];
  return [must["at_least"] ?? 1, must["at_most"] ?? 16];
}

/** Seats in turn order, beginning after one's own (or after the dealer, for the audience). */
export function others(view: View): number[] {
  const count = view.players.length;
  const first = view.seat ?? view.dealer;
  const all = Array.from({ length: count }, (_, step) => (first + 1 + step) % count);
  return view.seat === null ? all : all.slice(0, -1);
}
