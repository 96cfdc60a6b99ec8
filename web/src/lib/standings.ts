/** Who came where in a finished game. */
import type { View } from "./view";

export interface Standing {
  seat: number;
  /** From 1; those who were left in a game that went round share one. */
  place: number;
  lost: boolean;
}

export function standings(view: Pick<View, "players" | "places" | "loser">): Standing[] {
  const out = view.places.filter((seat) => seat !== view.loser);
  const left = view.players.map((_, seat) => seat).filter((seat) => seat !== view.loser && !out.includes(seat));
  return [
    ...out.map((seat, index) => ({ seat, place: index + 1, lost: false })),
    ...left.map((seat) => ({ seat, place: out.length + 1, lost: false })),
    ...(view.loser === null ? [] : [{ seat: view.loser, place: view.players.length, lost: true }]),
  ];
}
