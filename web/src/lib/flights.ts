/** Which cards travel for which event: from an anchor on the screen to another. */
import type { Event } from "./texts";

/** Where a card lies: its middle, and how wide it is there. */
export interface Spot {
  x: number;
  y: number;
  width: number;
}

interface Plan {
  /** A card's kind, null for its back; a ring closes around the pile for a set. */
  kind: string | null | "ring";
  turns: boolean;
  from: Spot;
  /** The anchor it goes to; null for what leaves the game where it lies. */
  to: string | null;
  delay: number;
  /** Whose doing it is: their colour travels with it. */
  seat: number;
}

/** A card on its way, and what is not to be seen before it lands. */
export interface Flight extends Omit<Plan, "to"> {
  to: Spot | null;
  target: Element | null;
}

function spot(element: Element | null | undefined, name: string): Spot | null {
  const box = element?.getBoundingClientRect();
  if (!box || box.width === 0) return null;
  const width = name === "pile" ? box.width * 0.42 : /^(hand|up|down|draw)/.test(name) ? box.width : 36;
  return { x: box.left + box.width / 2, y: box.top + box.height / 2, width };
}

const find = (name: string) => document.querySelector(`[data-anchor="${name}"]`);
const anchor = (name: string) => spot(find(name), name);

/** Look where cards are now, before the table changes. */
export function plan(events: readonly Event[], me: number | null, pile: readonly string[]): Plan[] {
  const home = (seat: number) => (seat === me ? "mine" : `seat-${seat}`);
  const lying = [...pile];
  const plans: Plan[] = [];
  let delay = 0;
  const add = (kinds: readonly (string | null)[], from: Spot | null, to: string | null, seat: number, turns = false) => {
    if (!from) return;
    kinds.forEach((kind, index) => plans.push({ kind, turns, from, to, delay: delay + index * 40, seat }));
    delay += 90;
  };
  /** The cards that are seen leaving the pile: the upper ones, each as it is. */
  const upper = (most: number) => lying.splice(0).reverse().slice(0, most);
  for (const event of events) {
    switch (event.event) {
      case "played": {
        const own = event.seat === me ? (anchor(`hand-${event.kind}`) ?? anchor(`up-${event.kind}`)) : null;
        const kinds = Array<string>(event.count).fill(event.kind);
        lying.push(...kinds);
        add(kinds.slice(0, 3), own ?? anchor(home(event.seat)), "pile", event.seat);
        break;
      }
      case "turned_over":
        lying.push(event.kind);
        add([event.kind], (event.seat === me ? anchor(`down-${event.place}`) : null) ?? anchor(home(event.seat)), "pile", event.seat, true);
        break;
      case "picked_up":
        if (event.count > 0) add(upper(5), anchor("pile"), home(event.seat), event.seat);
        break;
      case "gave":
        add(upper(5), anchor("pile"), home(event.to), event.seat);
        break;
      case "completed_set":
        add(["ring"], anchor("pile"), null, event.seat);
        break;
      case "removed":
        add(upper(3), anchor("pile"), null, 0);
        break;
      case "drew":
        add(Array<null>(Math.min(3, event.count)).fill(null), anchor("draw"), home(event.seat), event.seat);
        break;
    }
  }
  return plans;
}

/** Find the destinations, after the table has changed; `arrived` are the kinds that were not in one's hand before. */
export function settle(plans: readonly Plan[], arrived: readonly string[]): Flight[] {
  const lying = [...document.querySelectorAll('[data-anchor="pile"] .lie')];
  const played = plans.filter((flight) => flight.to === "pile");
  const fresh = arrived.map((kind) => `hand-${kind}`);
  const received = plans.filter((flight) => flight.to === "mine");
  const flights = plans.map((flight): Flight => {
    if (flight.to === null) return { ...flight, to: null, target: null };
    if (flight.to === "pile") {
      const target = lying[lying.length - played.length + played.indexOf(flight)] ?? null;
      return { ...flight, to: anchor("pile"), target };
    }
    const goal = flight.to === "mine" ? (fresh[received.indexOf(flight)] ?? "mine") : flight.to;
    return { ...flight, to: anchor(goal), target: goal === flight.to ? null : find(goal) };
  });
  // More cards than are seen travelling: the rest of the hand fans in behind them.
  const last = received.at(-1);
  const rest = last ? fresh.slice(received.length) : [];
  return [
    ...flights,
    ...rest.map((goal, index) => ({ ...last!, delay: last!.delay + index * 25, to: anchor(goal), target: find(goal) })),
  ];
}
