import { describe, expect, it } from "vitest";
import { catalogue, languages, spoken } from "../catalogues";
import { LANGUAGES, say, sayCode, speak } from "../src/lib/say.svelte";

describe("the catalogues", () => {
  it.each(languages())("have every text the table says in %s", (language) => {
    expect(Object.keys(spoken(language)).length).toBeGreaterThan(300);
  });

  it("have the texts whose keys are made from a code, however many words come before it", () => {
    const made = Object.keys(catalogue("en")).filter((key) => /^(error|notice|learn|advice_why|review_fact)_/.test(key));
    expect(made.filter((key) => key.startsWith("advice_why_") || key.startsWith("review_fact_")).length).toBeGreaterThan(20);
    const told = spoken("en");
    expect(made.filter((key) => !(key in told))).toEqual([]);
  });

  it("leave out what only other doors say", () => {
    expect(Object.keys(spoken("en")).filter((key) => /^(tui|play|replay|rules)_/.test(key))).toEqual([]);
  });

  it("name a text that a language lacks", () => {
    expect(() => spoken("xx", () => true)).toThrow(/xx/);
  });

  it("say which languages there are, by their own names", () => {
    expect(LANGUAGES).toEqual(languages().map((code) => [code, catalogue(code)["language_name"]]));
  });
});

describe("a text", () => {
  it("is said in the language spoken now, with its plural form", async () => {
    const told: Record<string, string[]> = {};
    for (const language of languages()) {
      await speak(language);
      told[language] = [1, 3, 5, 21].map((count) => say("count_cards", { count }));
    }
    expect(told).toEqual({
      de: ["1 Karte", "3 Karten", "5 Karten", "21 Karten"],
      en: ["1 card", "3 cards", "5 cards", "21 cards"],
      es: ["1 carta", "3 cartas", "5 cartas", "21 cartas"],
      ru: ["1 карта", "3 карты", "5 карт", "21 карта"],
    });
  });

  it("is chosen by who hears it", async () => {
    await speak("de");
    expect(say("event_came_back", { who: "you", name: "Ana" })).toBe("Du bist wieder im Spiel.");
    expect(say("event_came_back", { who: "other", name: "Ana" })).toBe("Ana ist wieder im Spiel.");
  });

  it("of an unknown code is none", () => {
    expect(sayCode("error_dancing")).toBeUndefined();
  });
});
