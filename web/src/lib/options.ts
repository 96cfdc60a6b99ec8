/** The options of the rules as plain questions, their values as plain answers, and a few ready sets of them. */
import { m } from "../paraglide/messages.js";
import type { Settings } from "../protocol";

export type Option = string | number | boolean;

const QUESTIONS: Record<string, () => string> = {
  copies: m.option_copies,
  decks: m.option_decks,
  give_cards: m.option_give_cards,
  face_up: m.option_face_up,
  drawing: m.option_drawing,
  set_size: m.option_set_size,
  max_play: m.option_max_play,
  set_effect: m.option_set_effect,
  set_counts: m.option_set_counts,
  karma_sets: m.option_karma_sets,
  karma_stays: m.option_karma_stays,
  give_to: m.option_give_to,
  no_table_card: m.option_no_table_card,
  stall_limit: m.option_stall_limit,
};

const ANSWERS: Record<string, () => string> = {
  true: m.value_true,
  false: m.value_false,
  chosen: m.value_chosen,
  dealt: m.value_dealt,
  refill: m.value_refill,
  manual: m.value_manual,
  "when-empty": m.value_when_empty,
  clear: m.value_clear,
  "give-rest": m.value_give_rest,
  played: m.value_played,
  top: m.value_top,
  anyone: m.value_anyone,
  active: m.value_active,
  hand: m.value_hand,
  skip: m.value_skip,
};

export const question = (option: string) => QUESTIONS[option]?.() ?? option;

export function answer(option: string, value: Option): string {
  if (option === "stall_limit" && value === 0) return m.value_never();
  return ANSWERS[String(value)]?.() ?? String(value);
}

/** A long range as a handful of values to choose from. */
export function choices(values: readonly Option[]): Option[] {
  if (values.length <= 8) return [...values];
  const wanted = new Set<Option>([0, 20, 40, 80, 120, 200, 400]);
  return values.filter((value) => wanted.has(value));
}

export const PRESETS: { name: () => string; rules: Record<string, Option> }[] = [
  { name: m.as_printed, rules: {} },
  { name: m.web_preset_party, rules: { decks: 2 } },
  { name: m.web_preset_forgetful, rules: { drawing: "manual" } },
  { name: m.web_preset_spiteful, rules: { set_effect: "give-rest" } },
];

export function standard(edition: string): Settings {
  return {
    edition,
    rules: {},
    clock: "none",
    days: 3,
    privacy: "private",
    spectators: "live",
    chat: true,
    memory_aid: true,
    rated: false,
  };
}
