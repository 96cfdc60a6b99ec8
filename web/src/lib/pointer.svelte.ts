/** What is being talked about is marked: elements carry the name of what they are as `data-anchor`. */
import { parseMove, type View } from "./view";

/** The anchor of what a move is made with. */
export function anchorOf(text: string, source: View["source"]): string {
  const move = parseMove(text);
  switch (move.type) {
    case "choose":
      return `hand-${move.kind}`;
    case "play":
      return `${source === "face_up" ? "up" : "hand"}-${move.kind}`;
    case "turn_over":
      return `down-${move.place}`;
    case "give":
      return `seat-${move.seat}`;
    case "pick_up":
      return "pile";
    default:
      return "draw";
  }
}

/** Mark what has one of these anchors, for as long as it is named. */
export function pointAt(anchors: () => (string | null)[]): void {
  $effect(() => {
    const marked = anchors().flatMap((name) => [...document.querySelectorAll(`[data-anchor="${name}"]`)]);
    for (const element of marked) element.setAttribute("data-pointed", "");
    return () => marked.forEach((element) => element.removeAttribute("data-pointed"));
  });
}
