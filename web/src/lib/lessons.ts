/** The notes of a first game: which one fits a moment, and what on the table it is about. */
import { sayCode } from "./say.svelte";
import type { View } from "./view";

/** What each note is about: a place on the table that is marked while it is read. */
export const LESSONS = {
  aim: "table",
  choose: "hand",
  first: "hand",
  ring: "pile",
  five: "pile",
  karma: "hand",
  stuck: "actions",
  set: "pile",
  table: "table",
  give: "seats",
  face_up: "table",
  face_down: "table",
  together: "hand",
  draw: "draw",
  out: "seats",
} as const;

export type Lesson = keyof typeof LESSONS;

/** The words of a note; of drawing, as it is done at a table with these rules. */
export function lessonText(lesson: Lesson, rules: Readonly<Record<string, unknown>>): string {
  const key = lesson === "draw" ? `draw_${String(rules["drawing"]).replace("-", "_")}` : lesson;
  return sayCode(`lesson_${key}`) ?? "";
}

/** The note that fits this moment best and was not read yet. */
export function lessonFor(view: View, mine: boolean, read: readonly string[]): Lesson | null {
  const found: Lesson[] = [];
  if (mine && view.phase === "choose") found.push("aim", "choose");
  if (mine && view.phase === "play") {
    const must = view.must_play;
    if (must === "table-card") {
      if (view.source !== "hand") found.push("table"); // where there are no table cards, it may call for the hand
    } else {
      if (view.pile.length === 0) found.push("first");
      if (must && "at_most" in must) found.push("five");
      else if (must) found.push("ring");
      if (view.source === "face_up") found.push("face_up");
      if (view.source === "face_down") found.push("face_down");
    }
    if (view.legal.length === 1 && view.legal[0] === "P" && view.pile.length > 0) found.push("stuck");
    if (view.legal.some((move) => /^[GFTB]/.test(move))) found.push("karma");
    if (view.removed.some((card) => /\d/.test(card))) found.push("set"); // a karma card may go by itself
    if (view.draw_pile > 0 && view.ply > 9) found.push("draw");
  }
  if (mine && view.phase === "give") found.push("give");
  if (view.places.length > 0) found.push("out");
  return found.find((lesson) => !read.includes(lesson)) ?? null;
}
