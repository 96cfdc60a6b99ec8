/** The notes of a first game: which one fits a moment, and what on the table it is about. */
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

/** The note that fits this moment best and was not read yet; of drawing only where hands are filled up. */
export function lessonFor(view: View, mine: boolean, read: readonly string[], drawing?: unknown): Lesson | null {
  const found: Lesson[] = [];
  if (mine && view.phase === "choose") found.push("aim", "choose");
  if (mine && view.phase === "play") {
    const must = view.must_play;
    if (must === "table-card") found.push("table");
    else {
      if (view.pile.length === 0) found.push("first");
      if (must && "at_most" in must) found.push("five");
      else if (must) found.push("ring");
      if (view.source === "face_up") found.push("face_up");
      if (view.source === "face_down") found.push("face_down");
    }
    if (view.legal.length === 1 && view.legal[0] === "P") found.push("stuck");
    if (view.legal.some((move) => /^[GFTB]/.test(move))) found.push("karma");
    if (view.removed.some((card) => /\d/.test(card))) found.push("set"); // a karma card may go by itself
    if (drawing === "refill" && view.draw_pile > 0 && view.ply > 9) found.push("draw");
  }
  if (mine && view.phase === "give") found.push("give");
  if (view.places.length > 0) found.push("out");
  return found.find((lesson) => !read.includes(lesson)) ?? null;
}
