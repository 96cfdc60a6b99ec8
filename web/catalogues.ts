/**
 * The Python package's catalogues for the browser: each language a chunk of its own, loaded when it is chosen.
 *
 * A chunk holds the texts that the table says: those whose keys stand in its sources, and those whose keys
 * are made there from a code, such as `error_${code}`. A language that lacks one fails the build.
 */
import { readdirSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import type { Plugin } from "vite";

const HERE = dirname(fileURLToPath(import.meta.url));
const FOLDER = join(HERE, "../src/karma/texts");
const LANGUAGES = "virtual:languages";
const TEXTS = "virtual:texts/";

/** A sentence, or sentences by the value of a parameter. */
export type Text = string | Record<string, Record<string, string>>;
export type Catalogue = Record<string, Text>;

export const languages = (): string[] =>
  readdirSync(FOLDER).filter((name) => name.endsWith(".json")).map((name) => name.slice(0, -".json".length)).sort();

export const catalogue = (language: string): Catalogue =>
  JSON.parse(readFileSync(join(FOLDER, `${language}.json`), "utf8")) as Catalogue;

function sources(folder: string): string[] {
  return readdirSync(folder, { withFileTypes: true }).flatMap((entry) =>
    entry.isDirectory() ? sources(join(folder, entry.name)) : /\.(svelte|ts)$/.test(entry.name) ? [readFileSync(join(folder, entry.name), "utf8")] : [],
  );
}

/** Does the table say the text of this key? */
export function said(folder = join(HERE, "src")): (key: string) => boolean {
  const all = sources(folder).filter((text) => !text.startsWith("// Written by")).join("\n");
  const whole = new Set([...all.matchAll(/"([a-z][a-z0-9_]*)"/g)].map((match) => match[1]!));
  const made = [...all.matchAll(/`([a-z_]+_)\$\{[^}]*\}(\w*)`/g)].map((match) => new RegExp(`^${match[1]}\\w+${match[2]}$`));
  return (key) => whole.has(key) || made.some((pattern) => pattern.test(key));
}

/** The texts of a language that the table says, or an error that names those it lacks. */
export function spoken(language: string, says = said()): Catalogue {
  const own = catalogue(language);
  const wanted = Object.keys(catalogue("en")).filter(says);
  const missing = wanted.filter((key) => !(key in own));
  if (missing.length > 0) throw new Error(`${language}.json lacks ${missing.join(", ")}`);
  return Object.fromEntries(wanted.map((key) => [key, own[key]!]));
}

export function catalogues(): Plugin {
  return {
    name: "catalogues",
    resolveId: (id) => (id === LANGUAGES || id.startsWith(TEXTS) ? `\0${id}` : null),
    load(id) {
      if (id === `\0${LANGUAGES}`) {
        const entries = languages().map(
          (code) => `${code}: [${JSON.stringify(catalogue(code)["language_name"])}, () => import("${TEXTS}${code}")]`,
        );
        return `export default { ${entries.join(", ")} };`;
      }
      if (!id.startsWith(`\0${TEXTS}`)) return null;
      const language = id.slice(TEXTS.length + 1);
      this.addWatchFile(join(FOLDER, `${language}.json`));
      return `export default ${JSON.stringify(spoken(language))};`;
    },
    transformIndexHtml: {
      order: "post",
      handler: (html, { bundle }) => ({
        // What stands in the page before any script has run, it says in every language: %key%.
        html: html.replace(/%(\w+)%/g, (_, key: string) => languages().map((code) => String(catalogue(code)[key])).join(" · ")),
        // Browsers pass such links over; the service worker keeps what they lead to.
        tags: Object.values(bundle ?? {}).flatMap((chunk) =>
          chunk.type === "chunk" && chunk.facadeModuleId?.startsWith(`\0${TEXTS}`)
            ? [{ tag: "link", attrs: { rel: "texts", href: `/${chunk.fileName}` }, injectTo: "head" as const }]
            : [],
        ),
      }),
    },
  };
}
