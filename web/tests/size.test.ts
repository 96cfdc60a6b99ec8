import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { expect, it } from "vitest";
import { languages } from "../catalogues";

const built = join(__dirname, "../../src/karma/server/static");

it.runIf(existsSync(built))("what one language needs of script is at most 100 KB, compressed, and 10 more for the review", () => {
  const scripts = readdirSync(join(built, "assets")).filter((name) => name.endsWith(".js"));
  const size = (name: string) => gzipSync(readFileSync(join(built, "assets", name)), { level: 9 }).length;
  const texts = scripts.filter((name) => languages().some((code) => name.startsWith(`${code}-`)));
  expect(texts.length).toBe(languages().length);
  const rest = scripts.filter((name) => !texts.includes(name));
  const later = rest.filter((name) => name.startsWith("Review-"));
  expect(later.length).toBe(1);
  const review = size(later[0]!);
  const all = rest.map(size).reduce((one, other) => one + other) + Math.max(...texts.map(size));
  expect(all - review).toBeLessThanOrEqual(100_000);
  expect(review).toBeLessThanOrEqual(10_000);
});
