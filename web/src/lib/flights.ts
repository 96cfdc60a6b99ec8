/** Which cards travel for which event: from an anchor on the screen to another. */
import type { Event } from "./texts";

/** Where a card lies: its middle, and how wide it is there. */
export interface Spot {
  x: number;
  y: number;
  width: number;
}

interface Plan {
  kind: string | null;
  turns: boolean;
  from: Spot;
  to: string | null;
  delay: number;
}

function anchor(name: string): Spot | null {
  const box = document.querySelector(`[data-anchor="${name}"]`)?.getBoundingClientRect();
  if (!box) return null;
  const width = name === "pile" ? box.width * 0.42 : /^(hand|up|down|draw)/.test(name) ? box.width : 36;
  return { x: box.left + box.width / 2, y: box.top + box.height / 2, width };
}

/** Look where cards are now, before the table changes. */
export function plan(events: readonly Event[], me: number | null, top: string | null): Plan[] {
  const home = (seat: number) => (seat === me ? "mine" : `seat-${seat}`);
  const plans: Plan[] = [];
  let delay = 0;
  const add = (kind: string | null, from: Spot | null, to: string | null, count: number, turns = false) => {
    if (!from) return;
    for (let index = 0; index < Math.min(count, 3); index++) plans.push({ kind, turns, from, to, delay: delay + index * 40 });
    delay += 90;
  };
  for (const event of events) {
    switch (event.event) {
      case "played": {
        const own = event.seat === me ? (anchor(`hand-${event.kind}`) ?? anchor(`up-${event.kind}`)) : null;
        add(event.kind, own ?? anchor(home(event.seat)), "pile", event.count);
        break;
      }
      case "turned_over":
        add(event.kind, (event.seat === me ? anchor(`down-${event.place}`) : null) ?? anchor(home(event.seat)), "pile", 1, true);
        break;
      case "picked_up":
        if (event.count > 0) add(top, anchor("pile"), home(event.seat), event.count);
        break;
      case "gave":
        add(top, anchor("pile"), home(event.to), event.count);
        break;
      case "removed":
        add(top, anchor("pile"), null, 1);
        break;
      case "drew":
        add(null, anchor("draw"), home(event.seat), event.count);
        break;
    }
  }
  return plans;
}

/** Find the destinations, after the table has changed. */
export function settle(plans: readonly Plan[]) {
  return plans.map((flight) => ({ ...flight, to: flight.to === null ? null : anchor(flight.to) }));
}
