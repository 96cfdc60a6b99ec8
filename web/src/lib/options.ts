/** The options of the rules in words, their values too, and a few ready sets of them. */
import { say, sayCode } from "./say.svelte";
import type { Settings } from "../protocol";

export type Option = string | number | boolean;

export const question = (option: string) => sayCode(`option_${option}`) ?? option;

export function answer(value: Option): string {
  if (value === 0) return say("value_never");
  return sayCode(`value_${String(value).replace("-", "_")}`) ?? String(value);
}

/** A long range as a handful of values to choose from. */
export function choices(values: readonly Option[]): Option[] {
  if (values.length <= 8) return [...values];
  const wanted = new Set<Option>([0, 20, 40, 80, 120, 200, 400]);
  return values.filter((value) => wanted.has(value));
}

export const PRESETS: { name: () => string; rules: Record<string, Option> }[] = [
  { name: () => say("as_printed"), rules: {} },
  { name: () => say("preset_top"), rules: { set_counts: "top" } },
  { name: () => say("web_preset_party"), rules: { decks: 2 } },
  { name: () => say("web_preset_forgetful"), rules: { drawing: "manual" } },
  { name: () => say("web_preset_spiteful"), rules: { set_effect: "give-rest" } },
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
