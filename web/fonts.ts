/**
 * The display face: Nunito, from its npm package (SIL Open Font License 1.1), cut down to the letters of our
 * languages. One file a script; a browser fetches those it shows. Made into src/fonts, which git does not keep.
 */
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";
import subset from "subset-font";
import type { Plugin } from "vite";

/** The scripts, as theme.css names their files, and the letters of each. */
const SCRIPTS: Record<string, [first: number, last: number][]> = {
  latin: [[0x20, 0x7e], [0xa0, 0xff], [0x2013, 0x2026]],
  cyrillic: [[0x400, 0x45f]],
};

export function fonts(): Plugin {
  const source = (script: string) => createRequire(import.meta.url).resolve(`@fontsource/nunito/files/nunito-${script}-800-normal.woff2`);
  const folder = join(import.meta.dirname, "src/fonts");
  return {
    name: "fonts",
    async buildStart() {
      mkdirSync(folder, { recursive: true });
      for (const [script, ranges] of Object.entries(SCRIPTS)) {
        const made = join(folder, `display-${script}.woff2`);
        if (existsSync(made)) continue;
        const letters = ranges.flatMap(([first, last]) => Array.from({ length: last - first + 1 }, (_, index) => first + index));
        writeFileSync(made, await subset(readFileSync(source(script)), String.fromCodePoint(...letters), { targetFormat: "woff2" }));
      }
    },
  };
}
