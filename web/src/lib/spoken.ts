/** What compiled messages are made of: a text for each language, and for each form of a number. */
import { locales } from "../paraglide/runtime.js";
import { settings } from "./settings.svelte";

/** The text of the language spoken now, from those of all languages in their order. */
export const spoken = (...texts: string[]): string => texts[locales.indexOf(settings.locale)] ?? "";

/** The text for a number's form in a language. */
export const plural = (locale: string, count: unknown, forms: Record<string, string>, other: string): string =>
  forms[new Intl.PluralRules(locale).select(Number(count))] ?? other;
