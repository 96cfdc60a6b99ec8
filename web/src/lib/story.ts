/** The story of a finished game: who gave whom the pile, who picked up most, the sets, the turns of luck. */
import type { Event } from "./texts";

export interface Story {
  gifts: { from: number; to: number; times: number; cards: number }[];
  biggest: { seat: number; count: number } | null;
  pickedUp: number[];
  sets: number[];
  blind: { seat: number; kind: string; fits: boolean }[];
  returns: number[];
}

export function tell(events: readonly Event[], players: number): Story {
  const zeros = () => Array<number>(players).fill(0);
  const story: Story = { gifts: [], biggest: null, pickedUp: zeros(), sets: zeros(), blind: [], returns: zeros() };
  for (const event of events) {
    const seat = event.seat ?? 0;
    const count = event.count ?? 0;
    switch (event.event) {
      case "gave": {
        const to = event.to ?? 0;
        const known = story.gifts.find((gift) => gift.from === seat && gift.to === to);
        if (known) {
          known.times += 1;
          known.cards += count;
        } else story.gifts.push({ from: seat, to, times: 1, cards: count });
        break;
      }
      case "picked_up":
        story.pickedUp[seat] = (story.pickedUp[seat] ?? 0) + count;
        if (count > (story.biggest?.count ?? 0)) story.biggest = { seat, count };
        break;
      case "completed_set":
        story.sets[seat] = (story.sets[seat] ?? 0) + 1;
        break;
      case "turned_over":
        story.blind.push({ seat, kind: event.kind ?? "", fits: event.fits ?? false });
        break;
      case "came_back":
        story.returns[seat] = (story.returns[seat] ?? 0) + 1;
        break;
    }
  }
  story.gifts.sort((a, b) => b.cards - a.cards);
  return story;
}
