import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { expect, it } from "vitest";

const built = join(__dirname, "../../src/karma/server/static");

it.runIf(existsSync(built))("all script together is at most 80 KB, compressed", () => {
  const scripts = readdirSync(built, { recursive: true, encoding: "utf8" }).filter((name) => name.endsWith(".js"));
  expect(scripts.length).toBeGreaterThan(0);
  const bytes = scripts.reduce((sum, name) => sum + gzipSync(readFileSync(join(built, name)), { level: 9 }).length, 0);
  expect(bytes).toBeLessThanOrEqual(80_000);
});
