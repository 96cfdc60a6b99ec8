/** What a bot says now and then about what happened to it. Made from the step alone: everybody hears the same. */
import type { Happening } from "../protocol";
import { sayCode } from "./say.svelte";

export interface Line {
  seat: number;
  /** What ends the key of its text. */
  text: string;
}

const VARIANTS = 2;
const SELDOM = 3; // one occasion in so many is spoken about
const MANY = 6; // cards that are worth a sigh

function occasions(step: Happening): [seat: number, occasion: string][] {
  return step.events.flatMap((event): [number, string][] => {
    switch (event.event) {
      case "gave":
        return [[event.to, "given"], [event.seat, "gave"]];
      case "picked_up":
        return event.count >= MANY ? [[event.seat, "heavy"]] : [];
      case "completed_set":
        return [[event.seat, "set"]];
      case "went_out":
        return [[event.seat, "out"]];
      case "turned_over":
        return [[event.seat, event.fits ? "lucky" : "unlucky"]];
      default:
        return [];
    }
  });
}

/** The line of a step, if one of these seats has anything to say. */
export function lineOf(step: Happening, bots: ReadonlySet<number>): Line | null {
  const chance = (Math.imul(step.version + 7 * step.game, 2654435761) >>> 12) % (SELDOM * VARIANTS);
  const spoken = occasions(step).find(([seat]) => bots.has(seat));
  return spoken && chance % SELDOM === 0 ? { seat: spoken[0], text: `${spoken[1]}_${Math.floor(chance / SELDOM)}` } : null;
}

export function lineText(line: Line): string {
  return sayCode(`banter_${line.text}`) ?? "";
}
