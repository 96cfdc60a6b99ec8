import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { expect, it } from "vitest";
import { languages } from "../catalogues";

const built = join(__dirname, "../../src/karma/server/static");

it.runIf(existsSync(built))("what one language needs of script is at most 100 KB, compressed", () => {
  const scripts = readdirSync(join(built, "assets")).filter((name) => name.endsWith(".js"));
  const size = (name: string) => gzipSync(readFileSync(join(built, "assets", name)), { level: 9 }).length;
  const texts = scripts.filter((name) => languages().some((code) => name.startsWith(`${code}-`)));
  expect(texts.length).toBe(languages().length);
  const rest = scripts.filter((name) => !texts.includes(name));
  expect(rest.length).toBe(1);
  expect(size(rest[0]!) + Math.max(...texts.map(size))).toBeLessThanOrEqual(100_000);
});
