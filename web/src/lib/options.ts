/** The options of the rules as plain questions, their values as plain answers, and a few ready sets of them. */
import { m } from "../paraglide/messages.js";
import type { Settings } from "../protocol";

export type Option = string | number | boolean;

const QUESTIONS: Record<string, () => string> = {
  copies: m.web_rule_copies,
  decks: m.web_rule_decks,
  give_cards: m.web_rule_give_cards,
  face_up: m.web_rule_face_up,
  drawing: m.web_rule_drawing,
  set_size: m.web_rule_set_size,
  max_play: m.web_rule_max_play,
  set_effect: m.web_rule_set_effect,
  set_counts: m.web_rule_set_counts,
  karma_sets: m.web_rule_karma_sets,
  karma_stays: m.web_rule_karma_stays,
  give_to: m.web_rule_give_to,
  no_table_card: m.web_rule_no_table_card,
  stall_limit: m.web_rule_stall_limit,
};

const ANSWERS: Record<string, () => string> = {
  true: m.web_value_true,
  false: m.web_value_false,
  chosen: m.web_value_chosen,
  dealt: m.web_value_dealt,
  refill: m.web_value_refill,
  manual: m.web_value_manual,
  "when-empty": m.web_value_when_empty,
  clear: m.web_value_clear,
  "give-rest": m.web_value_give_rest,
  played: m.web_value_played,
  top: m.web_value_top,
  anyone: m.web_value_anyone,
  active: m.web_value_active,
  hand: m.web_value_hand,
  skip: m.web_value_skip,
};

export const question = (option: string) => QUESTIONS[option]?.() ?? option;

export function answer(option: string, value: Option): string {
  if (option === "stall_limit" && value === 0) return m.web_value_never();
  return ANSWERS[String(value)]?.() ?? String(value);
}

/** A long range as a handful of values to choose from. */
export function choices(values: readonly Option[]): Option[] {
  if (values.length <= 8) return [...values];
  const wanted = new Set<Option>([0, 20, 40, 80, 120, 200, 400]);
  return values.filter((value) => wanted.has(value));
}

export const PRESETS: { name: () => string; rules: Record<string, Option> }[] = [
  { name: m.web_preset_printed, rules: {} },
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
