/** How everybody is drawn: a face, and a colour that goes through seat, log and flights. */
import drawn from "../../../src/karma/table/faces.json";
import type { Portrait as Wish } from "../protocol";

/** The bots' characters have the first faces; the others are for people. */
export const CHARACTERS = 12;
export const FACES = drawn.faces.length;
export const COLOURS = 12;

export interface Portrait {
  /** Null for a name's initial. */
  face: number | null;
  hue: number;
}

/** The colour of a seat: twelve hues, neighbours far apart. */
export function hueOfSeat(seat: number): number {
  return (25 + seat * 137.5) % 360;
}

export function hueOfColour(colour: number): number {
  return 15 + colour * 30;
}

export function portraitAt(seat: number, wish: Wish = {}): Portrait {
  const colour = wish.colour ?? null;
  return { face: wish.face ?? null, hue: colour === null ? hueOfSeat(seat) : hueOfColour(colour) };
}

/** The paths of a face, in a box of 40. */
export function paths(face: number): string[] {
  const [eyes, mouth, hair] = drawn.faces[face % FACES]!;
  return [drawn.eyes[eyes!]!, drawn.mouths[mouth!]!, drawn.hair[hair!]!];
}
