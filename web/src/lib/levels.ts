/** Bots by what they do, the weakest first, and what they are called in the player's language. */
import { m } from "../paraglide/messages.js";
import type { View } from "./view";

const LEVELS: Record<string, [name: () => string, about: () => string]> = {
  random: [m.bot_random, m.web_level_random],
  beginner: [m.bot_beginner, m.web_level_beginner],
  casual: [m.bot_casual, m.web_level_casual],
  greedy: [m.bot_greedy, m.web_level_greedy],
  steady: [m.bot_steady, m.web_level_steady],
  careful: [m.bot_careful, m.web_level_careful],
  sharp: [m.bot_sharp, m.web_level_sharp],
  expert: [m.bot_expert, m.web_level_expert],
  net: [m.bot_net, m.web_level_net],
  master: [m.bot_master, m.web_level_master],
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
