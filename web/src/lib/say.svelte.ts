/** Texts in the language that is spoken now. Each language is loaded when it is chosen. */
import languages from "virtual:languages";
import type { Texts } from "../keys";

export type Values = Record<string, unknown>;
type Text = string | Record<string, Record<string, string>>;

/** The languages there are, each by its own name. */
export const LANGUAGES: [code: string, name: string][] = Object.entries(languages).map(([code, [name]]) => [code, name]);

/** The first of the browser's languages that is one of ours. */
export function preferred(): string {
  return navigator.languages.map((tag) => tag.split("-")[0]!).find((code) => code in languages) ?? "en";
}

let now = $state.raw({ language: "", texts: {} as Record<string, Text>, plural: new Intl.PluralRules("en") });
let wanted = "";

/** Load a language and speak it from then on; where it cannot be had, the one before stays. */
export async function speak(language: string): Promise<void> {
  const code = language in languages ? language : "en";
  if (code === wanted) return;
  wanted = code;
  try {
    const { default: texts } = await languages[code]![1]();
    if (wanted !== code) return; // chosen anew meanwhile
    now = { language: code, texts, plural: new Intl.PluralRules(code) };
    document.documentElement.lang = code;
  } catch (problem) {
    wanted = now.language;
    if (!wanted) throw problem;
  }
}

/** A text by a key that was made from a code; nothing where there is none. */
export function sayCode(key: string, values: Values = {}): string | undefined {
  let text = now.texts[key];
  if (text === undefined) return undefined;
  if (typeof text !== "string") {
    const [[name, variants]] = Object.entries(text) as [[string, Record<string, string>]];
    const value = values[name];
    text = variants[typeof value === "number" ? now.plural.select(value) : String(value)] ?? variants["other"]!;
  }
  return text.replace(/\{(\w+)\}/g, (_, name: string) => String(values[name]));
}

/** A number with one decimal, as this language writes it. */
export function decimal(number: number): string {
  return number.toLocaleString(now.language, { minimumFractionDigits: 1, maximumFractionDigits: 1 });
}

/** What the keys of a family end with: the editions of `edition_`, say. */
export function codes(family: string): string[] {
  return Object.keys(now.texts).filter((key) => key.startsWith(family)).map((key) => key.slice(family.length));
}

/** The text of a key, with what its sentence needs. */
export function say<Key extends keyof Texts>(key: Key, ...values: Texts[Key] extends null ? [] : [Texts[Key]]): string {
  return sayCode(key, values[0] as Values | undefined) ?? key;
}
