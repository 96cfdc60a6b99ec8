/** Codes, events and moves as sentences in the player's language. */
import type { Texts } from "../keys";
import type { Advice, Happening, Notice, Reason, Refused, ReviewedFact, Say } from "../protocol";
import { Problem } from "./api";
import { kindName } from "./cards";
import { levelName } from "./levels";
import { codes, decimal, say, sayCode, type Values } from "./say.svelte";
import { bounds, parseMove, type MustPlay, type View } from "./view";

/** The keys that the codes of the protocol have; a code without a text does not pass `npm run check`. */
type Coded = `error_${Refused["code"]}` | `notice_${Notice["code"]}` | `phrase_${Say["phrase"]}` | `advice_why_${Reason["code"]}`;
true satisfies Coded extends keyof Texts ? true : never;

export function errorText(code: string, parameters: Values = {}): string {
  const kind = parameters["kind"];
  const card = typeof kind === "string" ? { card: kindName(kind) } : {};
  return sayCode(`error_${code}`, { ...parameters, ...card }) ?? say("error_unknown", { code });
}

/** Whatever was thrown, as a sentence that says what to do. */
export function problemText(problem: unknown): string {
  return problem instanceof Problem ? errorText(problem.code, problem.parameters) : errorText("server_error");
}

export function phraseText(phrase: string): string {
  return sayCode(`phrase_${phrase}`) ?? phrase;
}

export function editionName(edition: string): string {
  return sayCode(`edition_${edition}`) ?? edition;
}

/** The editions that have a name. */
export function editions(): string[] {
  return codes("edition_").filter((edition) => !edition.endsWith("_about"));
}

/** What goes on at a table. */
export function phaseText(phase: string): string {
  return sayCode(`phase_${phase}`) ?? phase;
}

/** What is played: an edition, and whether a house changes it. */
export function gameName(edition: string, rules: object): string {
  const name = editionName(edition);
  return Object.keys(rules).length > 0 ? say("web_with_house_rules", { edition: name }) : name;
}

/** A moment as the reader writes it. */
export function dateText(at: number, language: string): string {
  return new Intl.DateTimeFormat(language, { dateStyle: "medium", timeStyle: "short" }).format(at);
}

export function editionAbout(edition: string): string {
  return sayCode(`edition_${edition}_about`) ?? "";
}

export function mustText(must: MustPlay): string {
  if (must === null) return say("must_anything");
  if (must === "table-card") return say("must_table");
  const [least, most] = bounds(must);
  return "at_least" in must ? say("must_at_least", { number: least }) : say("must_at_most", { number: most });
}

export type Event = Happening["events"][number];

const cards = (count: number) => say("count_cards", { count });

/** One event of the game, told to one seat. */
export function eventText(event: Event, players: readonly string[], me: number | null): string {
  const person = (seat: number) => ({ who: seat === me ? "you" : "other", name: players[seat] ?? "" });
  switch (event.event) {
    case "chose":
      return say("event_chose", person(event.seat));
    case "revealed":
      return say("event_revealed");
    case "played": {
      const one = { ...person(event.seat), card: kindName(event.kind) };
      const all = { ...one, cards: cards(event.count) };
      if (event.source === "hand") return event.count > 1 ? say("event_played_several", all) : say("event_played", one);
      return event.count > 1 ? say("event_played_several_from_table", all) : say("event_played_from_table", one);
    }
    case "turned_over": {
      const one = { ...person(event.seat), card: kindName(event.kind) };
      return event.fits ? say("event_turned_over", one) : say("event_turned_over_misfit", one);
    }
    case "picked_up":
      return event.count > 0
        ? say("event_picked_up", { ...person(event.seat), cards: cards(event.count) })
        : say("event_picked_up_nothing", person(event.seat));
    case "gave": {
      const given = { ...person(event.seat), cards: cards(event.count) };
      return event.to === me ? say("event_gave_to_you", given) : say("event_gave", { ...given, to: players[event.to] ?? "" });
    }
    case "completed_set":
      return say("event_completed_set", { ...person(event.seat), card: kindName(event.kind), count: event.count });
    case "removed":
      return event.kind === null
        ? say("event_removed", { cards: cards(event.count) })
        : say("event_removed_kind", { cards: cards(event.count), card: kindName(event.kind) });
    case "brought_up":
      return say("event_brought_up", { card: kindName(event.kind) });
    case "drew":
      return say("event_drew", { ...person(event.seat), cards: cards(event.count) });
    case "left_draw":
      return say("event_left_draw", person(event.seat));
    case "went_out":
      return say("event_went_out", { ...person(event.seat), place: event.place });
    case "came_back":
      return say("event_came_back", person(event.seat));
    case "stalled":
      return say("event_stalled");
    case "ended":
      return event.loser === null ? say("event_ended_without_loser") : say("event_ended", person(event.loser));
  }
}

/** Whom a notice is about, by the name that is shown: people's are what they said, whatever that is. */
function noticed({ code, parameters }: Notice, players: readonly string[]): string {
  const { dealer, seat, name = "" } = parameters;
  if (typeof dealer === "number") return players[dealer] ?? "";
  if ((code === "bot_added" || code === "bot_failed") && typeof seat === "number") return players[seat] ?? String(name);
  return code === "seat_removed" ? String(name).replace(/^[a-z]+(?=$| \d+$)/, levelName) : String(name);
}

export function noticeText(notice: Notice, players: readonly string[], me: number | null): string {
  const { level } = notice.parameters;
  const text = sayCode(`notice_${notice.code}`, {
    ...notice.parameters,
    who: notice.parameters["seat"] === me ? "you" : "other",
    name: noticed(notice, players),
    ...(typeof level === "string" ? { level: levelName(level) } : {}),
  });
  return text ?? "";
}

/** Everything that one step brought, as sentences; draws and bare choices are left out of the short form. */
export function stepTexts(step: Happening, players: readonly string[], me: number | null, short = false): string[] {
  const dull = new Set(short ? ["drew", "chose", "removed"] : ["chose"]);
  const ended = step.events.some((event) => event.event === "ended"); // which says it with the loser's name
  return [
    ...step.events
      .filter((event) => !dull.has(event.event))
      .map((event) => eventText(event, players, me)),
    ...step.notices
      .filter((notice) => !(ended && notice.code === "game_over"))
      .map((notice) => noticeText(notice, players, me)),
  ].filter(Boolean);
}

/** A move as a wish: what a hint or a button says. */
export function moveText(text: string, view: View): string {
  const move = parseMove(text);
  switch (move.type) {
    case "choose":
      return say("move_choose", { card: kindName(move.kind) });
    case "play":
      return move.count > 1
        ? say("move_play_several", { card: kindName(move.kind), cards: cards(move.count) })
        : say("move_play", { card: kindName(move.kind) });
    case "turn_over":
      return say("move_turn_over", { number: move.place + 1 });
    case "pick_up":
      return view.pile.length > 0 ? say("move_pick_up", { cards: cards(view.pile.length) }) : say("move_pick_up_nothing");
    case "give":
      return say("move_give", { name: view.players[move.seat] ?? "" });
    case "draw":
      return say("move_draw");
    case "leave":
      return say("move_leave");
  }
}

const PLAIN = new Set<Reason["code"]>(["only", "blind", "feel", "lay"]);
const MOST_REASONS = 2;

/** Why a move is good, at most two facts. */
function whyText(reasons: readonly Reason[]): string {
  return reasons
    .slice(0, MOST_REASONS)
    .map(({ code, parameters = {} }) => {
      const { name, kind, count } = parameters;
      const values = {
        ...(name === undefined ? {} : { name }),
        ...(kind === undefined ? {} : { card: kindName(String(kind)) }),
        ...(count === undefined ? {} : { count, cards: cards(Number(count)) }),
      };
      return sayCode(`advice_why_${code}`, values) ?? "";
    })
    .filter(Boolean)
    .join("; ");
}

/** What to look for, without the move; nothing where that would say nothing. */
export function nudgeText(reasons: readonly Reason[]): string {
  const why = whyText(reasons.filter(({ code }) => !PLAIN.has(code)));
  return why && say("web_hint_nudge", { why });
}

/** A fact that tells two moves apart, with both numbers: shares of worlds, or how many cards. */
export function factText({ fact, best, made }: ReviewedFact): string {
  const counted = /_(held|left)$/.test(fact);
  const number = (share: number) => (counted ? decimal(share) : String(Math.round(100 * share)));
  return sayCode(`review_fact_${fact}`, { best: number(best), made: number(made) }) ?? "";
}

/** The moves that a good bot would make, why, and the numbers where there are some. */
export function adviceText({ moves, reasons = [], instead, facts = [] }: Advice, view: View): string {
  const what = moves.map((move) => moveText(move, view)).join(", ");
  const why = whyText(reasons);
  const told = say("web_hint_is", { move: why ? `${what}: ${why}` : what });
  return instead ? `${told}. ${say("advice_instead", { move: moveText(instead, view), facts: facts.map(factText).join("; ") })}` : told;
}
