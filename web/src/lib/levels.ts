/** Bots by what they do, the weakest first, and by the characters that they are. */
import { sayCode } from "./say.svelte";
import type { Opponents } from "./settings.svelte";
import type { Reason, Seat } from "../protocol";

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

export function characterName(character: number | null): string | null {
  return character === null ? null : (sayCode(`character_${character}`) ?? null);
}

/** Everybody's name as it is shown: characters for bots, for people what they said. */
export function shownNames(names: readonly string[], characters: readonly (number | null)[]): string[] {
  return names.map((name, seat) => characterName(characters[seat] ?? null) ?? name);
}

/** The characters of a table's bots; null for a person. */
export function charactersOf(seats: readonly Pick<Seat, "bot" | "portrait">[]): (number | null)[] {
  return seats.map((seat) => (seat.bot === null ? null : (seat.portrait?.face ?? null)));
}

/** Reasons with everybody by the name that is shown. */
export function shownReasons(reasons: readonly Reason[], seats: readonly Pick<Seat, "name" | "bot" | "portrait">[]): Reason[] {
  const names = seats.map((seat) => seat.name);
  const shown = shownNames(names, charactersOf(seats));
  return reasons.map(({ code, parameters }) => {
    const name = shown[names.indexOf(String(parameters["name"]))];
    return { code, parameters: name === undefined ? parameters : { ...parameters, name } };
  });
}
