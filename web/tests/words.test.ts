import { describe, expect, it } from "vitest";
import { slim } from "../slim";
import { blocks } from "../src/lib/markdown";
import { tell } from "../src/lib/story";

describe("a compiled message", () => {
  const source = (body: string) =>
    ["en", "ru"].map((locale) => `const ${locale}_x = /** @type {(i: X) => Y} */ (i) => {${body.replaceAll("LOCALE", locale)}\n};`).join("\n") +
    '\nexport const x = /** @type {Z} */ ((inputs, options = {}) => {\n\tconst locale = getLocale()\n\tif (locale === "en") return en_x(inputs)\n\treturn ru_x(inputs)\n});';

  it("becomes one function", () => {
    const made = slim(source("\n\treturn /** @type {Y} */ (`LOCALE ${i?.name} (\\`)`)"));
    expect(made).toContain('export const x = (i) => spoken((`en ${i.name} (\\`)`), (`ru ${i.name} (\\`)`));');
  });

  it("keeps its plural forms", () => {
    const made = slim(
      source('const form = registry.plural("LOCALE", i?.count, {});\n\tif (form == "one") return /** @type {Y} */ (`one`);\n\treturn /** @type {Y} */ (`many`)\n\t'),
    );
    expect(made).toContain('plural("en", i.count, { "one": `one` }, `many`)');
  });

  it("stays as it is when it is not understood", () => {
    const strange = source("\n\tthrow new Error()");
    expect(slim(strange)).toBe(strange);
  });
});

describe("the rules page", () => {
  it("is headings, paragraphs and lists; the rest stays text", () => {
    expect(blocks("# A\n\nfirst\nline\n\n## B\n\n- one\n- two\n  more\n\n<b>x</b>")).toEqual([
      { type: "heading", level: 1, text: "A" },
      { type: "paragraph", text: "first line" },
      { type: "heading", level: 2, text: "B" },
      { type: "list", items: ["one", "two more"] },
      { type: "paragraph", text: "<b>x</b>" },
    ]);
  });
});

describe("the story of a game", () => {
  it("tells who gave whom the pile, and who picked up most", () => {
    const story = tell(
      [
        { event: "gave", seat: 0, to: 1, count: 4 },
        { event: "gave", seat: 0, to: 1, count: 3 },
        { event: "picked_up", seat: 1, count: 9 },
        { event: "picked_up", seat: 0, count: 2 },
        { event: "completed_set", seat: 1, kind: "7", count: 3 },
        { event: "turned_over", seat: 0, kind: "3", fits: false, place: 1 },
        { event: "came_back", seat: 1 },
      ],
      2,
    );
    expect(story.gifts).toEqual([{ from: 0, to: 1, times: 2, cards: 7 }]);
    expect(story.biggest).toEqual({ seat: 1, count: 9 });
    expect(story.sets).toEqual([0, 1]);
    expect(story.blind).toEqual([{ seat: 0, kind: "3", fits: false }]);
    expect(story.returns).toEqual([0, 1]);
  });
});
