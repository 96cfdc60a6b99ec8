/** Kinds of cards: their order, their look in numbers, their names in the player's language. */
import { say } from "./say.svelte";

export const KINDS = [
  "1", "2", "3", "4", "5", "6", "7", "8", "9", "10", "11", "12", "13", "14", "15", "16",
  "G", "F", "T", "B",
] as const;

const order = new Map<string, number>(KINDS.map((kind, index) => [kind, index]));

export function byKind(a: string, b: string): number {
  return (order.get(a) ?? 99) - (order.get(b) ?? 99);
}

/** The number on a card, or null for a karma card. */
export function numberOf(kind: string): number | null {
  return /^\d+$/.test(kind) ? Number(kind) : null;
}

/** From cool to hot: blue at 1, over violet and red, to orange at 16. */
export function hueOf(number: number): number {
  return 245 + ((number - 1) / 15) * 165;
}

export interface Stack {
  kind: string;
  count: number;
}

/** Cards as stacks of identical ones, in the order of the kinds. */
export function stacks(cards: readonly string[]): Stack[] {
  const counts = new Map<string, number>();
  for (const card of cards) counts.set(card, (counts.get(card) ?? 0) + 1);
  return [...counts].map(([kind, count]) => ({ kind, count })).sort((a, b) => byKind(a.kind, b.kind));
}

export function kindName(kind: string): string {
  switch (kind) {
    case "G":
      return say("card_give");
    case "F":
      return say("card_five");
    case "T":
      return say("card_table");
    case "B":
      return say("card_bottoms");
    default:
      return kind;
  }
}

/** A karma card's name as it is printed. */
export function kindPrinted(kind: string): string {
  switch (kind) {
    case "G":
      return say("printed_give");
    case "F":
      return say("printed_five");
    case "T":
      return say("printed_table");
    default:
      return say("printed_bottoms");
  }
}

/** The letters that karma cards have in this language: of each name the first that no card before it has. */
export function letterOf(kind: string): string {
  const letters: string[] = [];
  for (const card of KINDS.slice(16)) {
    const letter = [...kindName(card).toLocaleUpperCase()].find((one) => /\p{L}/u.test(one) && !letters.includes(one)) ?? card;
    if (card === kind) return letter;
    letters.push(letter);
  }
  return kind;
}

/** What a karma card does, in a sentence; nothing for a number. */
export function kindEffect(kind: string): string {
  switch (kind) {
    case "G":
      return say("web_effect_give");
    case "F":
      return say("web_effect_five");
    case "T":
      return say("web_effect_table");
    case "B":
      return say("web_effect_bottoms");
    default:
      return say("web_effect_number", { number: kind });
  }
}

/** What a window on its side has beside the hand: the bar above, one's own seat, the buttons below. */
const BESIDE_THE_HAND = 190;
const TALL = 1.38;
/** Cards in two rows are no wider than this, so that the ring keeps its size. */
const IN_TWO_ROWS = 72;

/** The largest cards that lie in so many pixels of height, hardly overlapping; null where they would be tiny. */
function spreadLow(stacks: number, width: number, room: number) {
  const ways = [1, 2, 3].map((rows) => {
    const perRow = Math.max(1, Math.ceil(stacks / rows));
    const card = Math.min(104, (room / rows - 6) / TALL, width / (1 + 0.88 * (perRow - 1)));
    return { rows, perRow, card, cell: perRow === 1 ? card : Math.min(card, (width - card) / (perRow - 1)), squat: false };
  });
  const best = ways.reduce((one, other) => (other.card > one.card ? other : one));
  return best.card >= 50 ? best : null;
}

/** How a hand of so many stacks lies in a window: cards in overlapping rows, or, where it is low, squat ones side by side. */
export function spread(stacks: number, width: number, height: number, beside = false) {
  const low = beside ? spreadLow(stacks, width, height - BESIDE_THE_HAND) : null;
  if (low) return low;
  const fit = (most: number, least: number) => Math.floor(Math.max(0, width - most) / least) + 1;
  const widest = width > 700 ? Math.min(120, Math.max(84, height / 9)) : height >= 780 ? 92 : height >= 700 ? 76 : 62;
  const small = width > 700 ? 84 : 60;
  // What is seen of each card is a finger's breadth; on a high window a little less, for cards as large as they can be.
  const perRowMost = fit(small, height >= 700 ? 34 : 44);
  if (height < 700 && stacks > perRowMost) {
    const rows = Math.ceil(stacks / Math.max(1, Math.floor(width / 44)));
    const perRow = Math.ceil(stacks / rows);
    const cell = Math.min(width / perRow, 62);
    return { rows, perRow, cell, card: cell, squat: true };
  }
  // Where there is height for two rows, one that shows less than a finger's breadth of each card is no gain.
  const rows = Math.max(height >= 780 && stacks > fit(small, 44) ? 2 : 1, Math.ceil(stacks / perRowMost));
  const perRow = Math.max(1, Math.ceil(stacks / rows));
  const card = Math.max(small, Math.min(rows > 1 ? Math.min(widest, IN_TWO_ROWS) : widest, width / perRow));
  const cell = perRow === 1 ? card : Math.min(card, (width - card) / (perRow - 1));
  return { rows, perRow, cell, card, squat: false };
}
