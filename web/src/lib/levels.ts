/** Bots by what they do, the weakest first, and what they are called in the player's language. */
import { sayCode } from "./say.svelte";
import type { View } from "./view";

export function levelName(level: string): string {
  return sayCode(`level_${level}`) ?? level;
}

export function levelAbout(level: string): string {
  const about = sayCode(`level_${level}_about`);
  return about ? `${levelName(level)}: ${about}` : level;
}

/** A name as it is shown: bots go by their level, with a number from the second on; people by what they said. */
export function called(name: string): string {
  return name.replace(/^[a-z]+(?=$| \d+$)/, levelName);
}

/** A view with everybody's name as it is shown. */
export function seen(view: View | null): View | null {
  return view && { ...view, players: view.players.map(called) };
}

/** A level that is fun to begin with. */
export function friendly(levels: readonly string[]): string {
  return levels.find((level) => level === "casual") ?? levels[0] ?? "greedy";
}
