/** The table told in words, as the single keys and the screen reader have it. */
import { kindName } from "./cards";
import { say } from "./say.svelte";
import { mustText } from "./texts";
import { others, type View } from "./view";

export function pileText(view: View): string {
  return view.pile.length > 0
    ? say("text_pile", { pile: view.pile.map(kindName).join(", "), cards: say("count_cards", { count: view.pile.length }) })
    : say("text_pile_empty");
}

export function yourTurnText(view: View): string {
  return view.phase === "play" ? `${say("web_turn_yours")}: ${mustText(view.must_play)}` : say("web_turn_yours");
}

export function stateText(view: View, mine: boolean, paused: boolean): string {
  if (paused) return say("web_turn_paused");
  if (mine) return yourTurnText(view);
  return view.phase === "over" ? say("web_turn_over") : say("web_turn_theirs", { name: view.players[view.actor ?? -1] ?? "" });
}

/** One's own table cards. */
export function ownText(view: View): string {
  const up = view.seat === null ? [] : (view.face_up[view.seat] ?? []);
  const down = view.seat === null ? 0 : (view.face_down[view.seat] ?? []).filter(Boolean).length;
  const cards = up.map((kind) => (kind === null ? say("card_hidden") : kindName(kind))).join(", ");
  return `${say("web_your_table")}: ${[cards && say("web_seat_face_up", { cards }), down > 0 && say("web_seat_face_down", { count: down })].filter(Boolean).join("; ") || say("text_none")}`;
}

export function handText(view: View): string {
  const cards = (view.hand ?? []).map(kindName).join(", ");
  return cards ? say("text_hand", { hand: cards }) : `${say("text_hand_empty")} ${ownText(view)}`;
}

/** How many cards everybody holds, and how many lie in the middle. */
export function countsText(view: View): string {
  return [
    ...others(view).map((seat) => `${view.players[seat]}: ${view.hand_sizes[seat]}`),
    say("web_draw_pile", { count: view.draw_pile }),
    say("web_pile_of", { count: view.pile.length }),
  ].join("; ");
}
