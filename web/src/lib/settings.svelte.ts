/** What a player likes, kept in this browser: language, theme, motion, sound, confirmation, hand. */
import { preferred, speak } from "./say.svelte";

export type Opponents = "easy" | "fair" | "hard";
export type Theme = "auto" | "light" | "dark" | "contrast";
export type Speed = "off" | "fast" | "normal" | "slow";

export interface Settings {
  language: string;
  theme: Theme;
  speed: Speed;
  sound: boolean;
  notify: boolean;
  title: boolean;
  confirm: boolean;
  /** Ask before one's own name picks up the pile. */
  confirmName: boolean;
  drag: boolean;
  leftHanded: boolean;
  memory: boolean;
  keys: boolean;
  hints: boolean;
  name: string;
  /** Against whom and what one likes to play. */
  opponents: Opponents;
  bots: number;
  edition: string;
}

const KEY = "karma.settings";

function initial(): Settings {
  const defaults: Settings = {
    language: preferred(),
    theme: "auto",
    speed: "normal",
    sound: true,
    notify: false,
    title: true,
    confirm: false,
    confirmName: true,
    drag: true,
    leftHanded: false,
    memory: true,
    keys: true,
    hints: false,
    name: "",
    opponents: "easy",
    bots: 2,
    edition: "mini",
  };
  try {
    return { ...defaults, ...(JSON.parse(localStorage.getItem(KEY) ?? "{}") as Partial<Settings>) };
  } catch {
    return defaults;
  }
}

export const settings = $state(initial());

const dark = window.matchMedia("(prefers-color-scheme: dark)");
const contrast = window.matchMedia("(prefers-contrast: more)");
const still = window.matchMedia("(prefers-reduced-motion: reduce)");

function theme(): string {
  if (settings.theme !== "auto") return settings.theme;
  if (contrast.matches) return "contrast";
  return dark.matches ? "dark" : "light";
}

/** Apply and keep the settings whenever one changes. Called once, at the start. */
export function keepSettings(): void {
  const apply = () => {
    document.documentElement.dataset.theme = theme();
  };
  $effect.root(() => {
    $effect(() => void speak(settings.language));
    $effect(() => {
      apply();
      try {
        localStorage.setItem(KEY, JSON.stringify(settings));
      } catch {
        // A browser that keeps nothing still plays.
      }
    });
  });
  for (const query of [dark, contrast]) query.addEventListener("change", apply);
}

/** How long a card takes to travel, in milliseconds; 0 when nothing should move. */
export function travel(): number {
  if (still.matches || document.hidden) return 0;
  return { off: 0, fast: 150, normal: 240, slow: 350 }[settings.speed];
}
