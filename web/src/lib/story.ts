/** The story of a finished game: who gave whom the pile, who picked up most at once, the sets, the turns of luck. */
import type { Event } from "./texts";

export interface Story {
  gifts: { from: number; to: number; cards: number }[];
  biggest: { seat: number; count: number } | null;
  sets: number[];
  blind: { seat: number; kind: string; fits: boolean }[];
  returns: number[];
}

export function tell(events: readonly Event[], players: number): Story {
  const zeros = () => Array<number>(players).fill(0);
  const story: Story = { gifts: [], biggest: null, sets: zeros(), blind: [], returns: zeros() };
  for (const event of events) {
    switch (event.event) {
      case "gave": {
        const known = story.gifts.find((gift) => gift.from === event.seat && gift.to === event.to);
        if (known) known.cards += event.count;
        else story.gifts.push({ from: event.seat, to: event.to, cards: event.count });
        break;
      }
      case "picked_up":
        if (event.count > (story.biggest?.count ?? 0)) story.biggest = { seat: event.seat, count: event.count };
        break;
      case "completed_set":
        story.sets[event.seat] = (story.sets[event.seat] ?? 0) + 1;
        break;
      case "turned_over":
        story.blind.push({ seat: event.seat, kind: event.kind, fits: event.fits });
        break;
      case "came_back":
        story.returns[event.seat] = (story.returns[event.seat] ?? 0) + 1;
        break;
    }
  }
  story.gifts.sort((a, b) => b.cards - a.cards);
  return story;
}
