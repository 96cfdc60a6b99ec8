/**
 * Write each compiled message as one function instead of one for each language and a third to choose.
 *
 * Paraglide's output is made for many ways of use; ours is one, and five hundred messages three times
 * over are a sixth of the script. `spoken` chooses among the texts, which come in the order of the
 * languages. A message this does not understand stays as it is, and fails the build.
 */
import type { Plugin } from "vite";

/** The `if … return …; return …` of one language as one expression. */
function expression(body: string): string | null {
  const local = /^const (\w+) = (registry\.plural\([^)]*\));\s*/.exec(body);
  let rest = (local ? body.slice(local[0].length) : body).trim();
  const forms: string[] = [];
  let result = "";
  for (;;) {
    const branch = /^if \(((?:[^()]|\([^()]*\))+)\) return\s+\((`(?:[^`\\]|\\.)*`)\);\s*/.exec(rest);
    if (!branch) break;
    result += `${branch[1]} ? ${branch[2]} : `;
    const form = local && new RegExp(`^${local[1]} == ("\\w+")$`).exec(branch[1]!);
    if (form) forms.push(`${form[1]}: ${branch[2]}`);
    else forms.push("");
    rest = rest.slice(branch[0].length);
  }
  const last = /^return\s+\((`(?:[^`\\]|\\.)*`)\)\s*;?$/.exec(rest.trim());
  if (!last) return null;
  const plural = local && /^registry\.plural\(("\w+"), ([^,]+), \{\}\)$/.exec(local[2]!);
  if (plural && forms.every(Boolean)) return `plural(${plural[1]}, ${plural[2]}, { ${forms.join(", ")} }, ${last[1]})`;
  result += last[1];
  return local ? result.replace(new RegExp(`\\b${local[1]}(?= ==)`, "g"), local[2]!) : result;
}

export function slim(code: string): string {
  const bare = code.replace(/\/\*[\s\S]*?\*\//g, "");
  const languages: [string, string][] = [];
  for (const [, locale, body] of bare.matchAll(/^const ([a-z]+)_\w+ =\s+\((?:i)?\) => \{([\s\S]*?)\n\};/gm)) {
    const text = expression(body!);
    if (text === null) return code;
    languages.push([locale!, `(${text})`]);
  }
  const name = /^export const (\w+) =/m.exec(bare)?.[1];
  if (!name || languages.length < 2) return code;
  const imports = [...bare.matchAll(/^import .*$/gm)].map((line) => line[0]).join("\n");
  const texts = languages.map(([, text]) => text.replaceAll("i?.", "i."));
  return `${imports}\nimport { plural, spoken } from "../../lib/spoken.ts";\nexport const ${name} = (i) => spoken(${texts.join(", ")});\n`;
}

export function slimMessages(): Plugin {
  return {
    name: "slim-messages",
    apply: "build",
    transform(code, id) {
      if (!/paraglide\/messages\/(?!_index)\w+\.js$/.test(id)) return null;
      const made = slim(code);
      if (made === code) this.error(`${id} is not understood`);
      return { code: made, map: null };
    },
  };
}
