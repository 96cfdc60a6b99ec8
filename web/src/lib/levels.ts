/** Bots by what they do, the weakest first, and what they are called in the player's language. */
import { m } from "../paraglide/messages.js";
import type { View } from "./view";

const LEVELS: Record<string, [name: () => string, about: () => string]> = {
  random: [m.level_random, m.level_random_about],
  beginner: [m.level_beginner, m.level_beginner_about],
  casual: [m.level_casual, m.level_casual_about],
  greedy: [m.level_greedy, m.level_greedy_about],
  steady: [m.level_steady, m.level_steady_about],
  careful: [m.level_careful, m.level_careful_about],
  sharp: [m.level_sharp, m.level_sharp_about],
  expert: [m.level_expert, m.level_expert_about],
  net: [m.level_net, m.level_net_about],
  master: [m.level_master, m.level_master_about],
};

export function levelName(level: string): string {
  return LEVELS[level]?.[0]() ?? level;
}

export function levelAbout(level: string): string {
  const about = LEVELS[level]?.[1]();
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
