/**
 * Write each compiled message as one function instead of one for each language and a third to choose.
 *
 * Paraglide's output is made for many ways of use; ours is one, and five hundred messages three times
 * over are a sixth of the script. A message this does not understand stays as it is.
 */
import type { Plugin } from "vite";

/** The `if … return …; return …` of one language as one expression. */
function expression(body: string): string | null {
  const local = /^const (\w+) = (registry\.plural\([^)]*\));\s*/.exec(body);
  let rest = (local ? body.slice(local[0].length) : body).trim();
  let result = "";
  for (;;) {
    const branch = /^if \(((?:[^()]|\([^()]*\))+)\) return\s+\((`(?:[^`\\]|\\.)*`)\);\s*/.exec(rest);
    if (!branch) break;
    result += `${branch[1]} ? ${branch[2]} : `;
    rest = rest.slice(branch[0].length);
  }
  const last = /^return\s+\((`(?:[^`\\]|\\.)*`)\)\s*;?$/.exec(rest.trim());
  if (!last) return null;
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
  const choice = languages
    .map(([locale, text], index) => (index < languages.length - 1 ? `getLocale() === "${locale}" ? ${text} : ` : text))
    .join("");
  return `${imports}\nexport const ${name} = (i) => ${choice.replaceAll("i?.", "i.")};\n`;
}

export function slimMessages(): Plugin {
  return {
    name: "slim-messages",
    apply: "build",
    transform(code, id) {
      return /paraglide\/messages\/(?!_index)\w+\.js$/.test(id) ? { code: slim(code), map: null } : null;
    },
  };
}
