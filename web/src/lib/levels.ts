/** Bots by what they do. */
import { m } from "../paraglide/messages.js";

const LEVELS: Record<string, () => string> = {
  random: m.web_level_random,
  greedy: m.web_level_greedy,
  sharp: m.web_level_sharp,
};

export function levelAbout(level: string): string {
  const known = LEVELS[level]?.();
  return known ? `${level}: ${known}` : level;
}
