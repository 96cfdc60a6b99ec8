/** Just enough Markdown for the rules page: headings, paragraphs, lists. Everything else stays text. */

export type Block = { type: "heading"; level: number; text: string } | { type: "paragraph"; text: string } | { type: "list"; items: string[] };

export function blocks(markdown: string): Block[] {
  const found: Block[] = [];
  for (const part of markdown.split(/\n\s*\n/)) {
    const text = part.trim();
    if (text === "") continue;
    const heading = /^(#{1,4})\s+(.*)$/.exec(text);
    if (heading) found.push({ type: "heading", level: heading[1]?.length ?? 2, text: heading[2] ?? "" });
    else if (/^[-*] /.test(text))
      found.push({ type: "list", items: text.split(/\n(?=[-*] )/).map((item) => item.slice(2).replace(/\s*\n\s*/g, " ")) });
    else found.push({ type: "paragraph", text: text.replace(/\s*\n\s*/g, " ") });
  }
  return found;
}
