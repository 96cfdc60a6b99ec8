import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";

const root = join(__dirname, "..");
const catalogue = (locale: string) =>
  JSON.parse(readFileSync(join(root, "../src/karma/texts", `${locale}.json`), "utf8")) as Record<string, unknown>;

function sources(folder: string): string[] {
  return readdirSync(folder, { withFileTypes: true }).flatMap((entry) =>
    entry.isDirectory()
      ? entry.name === "paraglide" ? [] : sources(join(folder, entry.name))
      : /\.(svelte|ts)$/.test(entry.name) ? [readFileSync(join(folder, entry.name), "utf8")] : [],
  );
}

describe("the catalogue", () => {
  const used = new Set(sources(join(root, "src")).flatMap((text) => [...text.matchAll(/\bm\.([a-z]\w+)/g)].map((match) => match[1]!)));

  it("has every message the table says, in both languages", () => {
    for (const locale of ["en", "ru"]) {
      const known = catalogue(locale);
      expect([...used].filter((key) => !(key in known)), locale).toEqual([]);
    }
  });

  it("has no message of the table that nothing says", () => {
    const own = Object.keys(catalogue("en")).filter((key) => key.startsWith("web_"));
    expect(own.filter((key) => !used.has(key))).toEqual([]);
  });
});
