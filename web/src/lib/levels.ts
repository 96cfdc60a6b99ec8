/** Bots by what they do, the weakest first. */
import { m } from "../paraglide/messages.js";

const LEVELS: Record<string, () => string> = {
  random: m.web_level_random,
  beginner: m.web_level_beginner,
  casual: m.web_level_casual,
  greedy: m.web_level_greedy,
  steady: m.web_level_steady,
  careful: m.web_level_careful,
  sharp: m.web_level_sharp,
  expert: m.web_level_expert,
  net: m.web_level_net,
  master: m.web_level_master,
};

export function levelAbout(level: string): string {
  const known = LEVELS[level]?.();
  return known ? `${level}: ${known}` : level;
}

/** A level that is fun to begin with. */
export function friendly(levels: readonly string[]): string {
  return levels.find((level) => level === "casual") ?? levels[0] ?? "greedy";
}
