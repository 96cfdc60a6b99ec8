// Write src/protocol.ts: the types of the protocol, from the schema that the Python package prints.
import { execFileSync } from "node:child_process";
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { compile } from "json-schema-to-typescript";

const here = new URL("..", import.meta.url);
const own = new URL("../.venv/bin/python", here);
const python = existsSync(own) ? own.pathname : "python3";
const schema = JSON.parse(execFileSync(python, ["-m", "karma.protocol"], { maxBuffer: 1 << 24 }));

// One property for each definition makes the compiler write all of them out.
const names = Object.keys(schema.$defs);
schema.type = "object";
schema.title = "Protocol";
schema.properties = Object.fromEntries(names.map((name) => [name, { $ref: `#/$defs/${name}` }]));
schema.additionalProperties = false;

/** The compiler makes lists with limits into tuples, which nobody can fill. */
function plain(node) {
  if (Array.isArray(node)) return node.forEach(plain);
  if (node === null || typeof node !== "object") return;
  delete node.minItems;
  delete node.maxItems;
  Object.values(node).forEach(plain);
}
plain(schema.$defs);
// Answers always carry every field, whether or not the schema knows a default for it.
for (const [name, definition] of Object.entries(schema.$defs)) {
  if ((definition.additionalProperties !== false || name === "Settings") && definition.properties)
    definition.required = Object.keys(definition.properties);
  if (definition.properties) definition.additionalProperties = false;
}

const text = await compile(schema, "Protocol", { bannerComment: "// Written by scripts/types.mjs; do not edit.", format: false });
writeFileSync(new URL("src/protocol.ts", here), text);

// And src/keys.ts: the keys of the texts, each with what its sentence needs.
const texts = JSON.parse(readFileSync(new URL("../src/karma/texts/en.json", here), "utf8"));
const lines = Object.entries(texts).map(([key, value]) => {
  const selector = typeof value === "string" ? [] : Object.keys(value);
  const gaps = [...JSON.stringify(value).matchAll(/\{(\w+)\}/g)].map((match) => match[1]);
  const names = [...new Set([...selector, ...gaps])].sort();
  return `  ${key}: ${names.length === 0 ? "null" : `{ ${names.map((name) => `${name}: string | number`).join("; ")} }`};`;
});
writeFileSync(new URL("src/keys.ts", here), `// Written by scripts/types.mjs; do not edit.\nexport interface Texts {\n${lines.join("\n")}\n}\n`);
