/** Bots by what they do, the weakest first, and who they are at a table: each a character of its own. */
import { sayCode } from "./say.svelte";
import type { Opponents } from "./settings.svelte";

export function levelName(level: string): string {
  return sayCode(`level_${level}`) ?? level;
}

export function levelAbout(level: string): string {
  const about = sayCode(`level_${level}_about`);
  return about ? `${levelName(level)}: ${about}` : level;
}

/** A level that is fun to begin with. */
export function friendly(levels: readonly string[]): string {
  return levels.find((level) => level === "casual") ?? levels[0] ?? "greedy";
}

/** The bots of a wish: an easy game, a fair or a hard one. */
export function levelOf(wish: Opponents, levels: readonly string[]): string {
  const wanted = { easy: ["casual"], fair: ["careful", "steady"], hard: ["expert", "sharp"] }[wish];
  return wanted.find((level) => levels.includes(level)) ?? friendly(levels);
}

export const CHARACTERS = ["momo", "pip", "otto", "zuzu", "nilo", "yara", "fitz", "roon", "tika", "bram", "isko", "vela"] as const;

/** Where a level begins to look for its characters, so that the same one often plays at the same level. */
const FIRST: Record<string, number> = { casual: 0, careful: 3, expert: 6, master: 9 };

/** A table's bots as characters, no two alike; null for a person. Everybody sees the same. */
export function characters(levels: readonly (string | null)[]): (number | null)[] {
  const taken = new Set<number>();
  return levels.map((level) => {
    if (level === null) return null;
    let number = FIRST[level] ?? level.length % CHARACTERS.length;
    while (taken.has(number) && taken.size < CHARACTERS.length) number = (number + 1) % CHARACTERS.length;
    taken.add(number);
    return number;
  });
}

export interface Sitter {
  name: string;
  bot: string | null;
}

/** Does a bot play under a name of its own here, and not in the seat of somebody who was sent away? */
const itself = ({ name, bot }: Sitter) => bot !== null && name.replace(/ \d+$/, "") === bot;

export function faces(seats: readonly Sitter[]): (number | null)[] {
  return characters(seats.map((seat) => (itself(seat) ? seat.bot : null)));
}

/** Everybody's name as it is shown: characters for bots, for people what they said. */
export function names(seats: readonly Sitter[]): string[] {
  const who = faces(seats);
  return seats.map((seat, index) => characterName(who[index] ?? null) ?? seat.name);
}

export function characterName(character: number | null): string | null {
  return character === null ? null : (sayCode(`character_${CHARACTERS[character]!}`) ?? null);
}

/** The seats of a list that only has names: there, what is called as a level is one. */
export function sitters(all: readonly string[]): Sitter[] {
  return all.map((name) => {
    const stem = name.replace(/ \d+$/, "");
    return { name, bot: sayCode(`level_${stem}`) === undefined ? null : stem };
  });
}
