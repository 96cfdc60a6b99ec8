/**
 * A first lesson as a stacked deck: positions written down, each with what may be done in it and what it teaches.
 *
 * It looks like a table's connection, so that the table itself shows it; nothing here decides what a card may do.
 */
import type { Counts, Happening } from "../protocol";
import { characterName } from "./levels";
import { portraitAt } from "./portraits";
import type { Answer, Link } from "./live.svelte";
import { say, sayCode } from "./say.svelte";
import { settings } from "./settings.svelte";
import type { Event } from "./texts";
import { parseMove, type View } from "./view";

interface Step {
  /** Which of the texts `learn_…` it says. */
  says: string;
  /** The anchor of what it speaks of. */
  about: string;
  view: Partial<View>;
  /** What the rules count in it. */
  counts?: Partial<Counts>;
  /** What is answered to another card than those that may be played. */
  why?: [code: string, parameters: Record<string, unknown>];
  /** What a face-down card turns out to be, and whether it fits. */
  turned?: { kind: string; fits: boolean };
}

const UP = [["9", "14", "G"], ["6", "11", "12"]];
const tooLow = (number: number): Step["why"] => ["too_low", { number }];
const STEPS: Step[] = [
  { says: "ring", about: "pile", view: { hand: ["3", "7", "9"], pile: ["2", "7"], must_play: { at_least: 7 }, legal: ["7", "9"] }, why: tooLow(7) },
  { says: "together", about: "hand-8", view: { hand: ["4", "8", "8"], pile: ["2", "7"], must_play: { at_least: 7 }, legal: ["8", "8x2"] }, why: tooLow(7) },
  { says: "draw", about: "draw", view: { hand: ["5", "10", "12"], pile: ["8", "8"], must_play: { at_least: 8 }, legal: ["10", "12"] }, why: tooLow(8) },
  { says: "stuck", about: "actions", view: { hand: ["5", "6", "8"], pile: ["10", "13"], must_play: { at_least: 13 }, legal: ["P"] }, why: tooLow(13) },
  { says: "start", about: "hand", view: { hand: ["5", "6", "8", "10", "13"], legal: ["5", "6", "8", "10", "13"] } },
  {
    says: "set",
    about: "pile",
    view: { hand: ["4", "6", "9"], pile: ["2", "9", "9"], run: { kind: "9", length: 2 }, must_play: { at_least: 9 }, legal: ["9"] },
    counts: { in_a_row: 2 },
    why: tooLow(9),
  },
  { says: "karma", about: "hand-F", view: { hand: ["3", "5", "F"], pile: ["8"], must_play: { at_least: 8 }, legal: ["F"] }, why: tooLow(8) },
  { says: "five", about: "pile", view: { hand: ["3", "12", "14"], pile: ["8", "F"], must_play: { at_most: 5 }, legal: ["3"] }, why: ["too_high", {}] },
  { says: "bottoms", about: "hand-B", view: { hand: ["5", "6", "B"], pile: ["4", "11", "15"], must_play: { at_least: 15 }, legal: ["B"] }, why: tooLow(15) },
  { says: "risen", about: "pile", view: { hand: ["2", "5", "6"], pile: ["11", "15", "B", "4"], must_play: { at_least: 4 }, legal: ["5", "6"] }, why: tooLow(4) },
  { says: "give", about: "hand-G", view: { hand: ["5", "6", "G"], pile: ["4", "8", "11", "13", "16"], must_play: { at_least: 16 }, legal: ["G"] }, why: tooLow(16) },
  { says: "whom", about: "seats", view: { phase: "give", hand: ["5", "6"], pile: ["4", "8", "11", "13", "16"], legal: [">1"], source: null } },
  { says: "table", about: "hand-T", view: { hand: ["5", "6", "T"], pile: ["13"], must_play: { at_least: 13 }, legal: ["T"] }, why: tooLow(13) },
  { says: "table_card", about: "table", view: { hand: ["5", "6"], pile: ["13", "T"], must_play: "table-card", source: "face_up", legal: ["9", "14", "G"] }, why: ["table_card_first", {}] },
  { says: "face_up", about: "table", view: { hand: [], pile: ["8"], must_play: { at_least: 8 }, source: "face_up", legal: ["9", "14", "G"], draw_pile: 0 }, why: tooLow(8) },
  {
    says: "face_down",
    about: "table",
    view: { hand: [], pile: ["3"], must_play: { at_least: 3 }, source: "face_down", legal: ["?0", "?1", "?2"], face_up: [[], ["6"]], draw_pile: 0 },
    turned: { kind: "12", fits: true },
  },
  {
    says: "misfit",
    about: "table",
    view: {
      hand: [], pile: ["6", "15"], must_play: { at_least: 15 }, source: "face_down", legal: ["?0", "?1"], face_up: [[], []], face_down: [[true, true, false], [true, true, true]],
      draw_pile: 0,
    },
    turned: { kind: "4", fits: false },
  },
  {
    says: "choose",
    about: "hand",
    view: { phase: "choose", hand: ["2", "4", "9", "14", "5", "G"], legal: ["^2", "^4", "^9", "^14", "^5", "^G"], face_up: [[], [null, null, null]], source: null },
    counts: { to_choose: 3 },
  },
];

export class Course {
  at = $state(0);
  readonly id = "";
  readonly status = "live" as const;
  readonly live = true;
  readonly since = Date.now();
  readonly ending = null;
  readonly you = { player: "", name: "", seat: null, host: false, invite: null };
  readonly portraits = [portraitAt(0), portraitAt(1, { face: 0 })];
  readonly log: Happening[] = [];
  missed: Happening[] = [];
  readonly speech = [];
  unread = 0;
  readonly muted = new Set<number | string>();
  readonly advice = null;
  readonly sending = 0;
  readonly leftOut = false;
  readonly failures = 0;
  readonly skew = 0;
  onstep: Link["onstep"] = null;
  readonly #done: () => void;

  /** `done` is called when the last step is. */
  constructor(done: () => void) {
    this.#done = done;
  }

  get names() {
    return [settings.name.trim() || say("web_guest"), characterName(0) ?? ""];
  }
  get seats() {
    return this.names.map((name, seat) => ({
      seat, name, portrait: { face: seat === 1 ? 0 : null, colour: null }, bot: seat === 1 ? "casual" : null, host: false, connected: true, away_since: null, covered: null, failed: false, preparing: false,
      chosen: seat === 1, coverable: null, deadline: null, remaining: null, rematch: false, offered: false,
    }));
  }
  readonly table = {
    table: "", phase: "playing" as const, paused: false, game: 1,
    settings: { edition: "classic", rules: {}, clock: "none" as const, days: 3, privacy: "private" as const, spectators: "none" as const, chat: false, memory_aid: true, rated: false },
    rules: { drawing: "refill" }, least_players: 2, most_players: 6, move_seconds: null, dealer: 1, score: [], fair: null, practice: true, hints: false, spectators: 0,
    watching: [], given_up: [],
  };
  get view(): View {
    const { view } = this.#step;
    const hand = view.hand ?? [];
    return {
      seat: 0, ply: this.at, edition: "classic", rules: {}, players: this.names, dealer: 1, phase: "play", actor: 0, legal: [], hand,
      hand_sizes: [hand.length, 3], known: [[], []], face_up: UP, face_down: [[true, true, true], [true, true, true]], pile: [], draw_pile: 20,
      removed: [], run: null, source: "hand", must_play: null, quiet: 0, places: [], loser: null, ...view,
    };
  }
  get counts(): Counts {
    return { to_choose: 0, most_at_once: 3, in_a_row: null, makes_set: 3, quiet_left: null, ...this.#step.counts };
  }
  get #step(): Step {
    return STEPS[Math.min(this.at, STEPS.length - 1)]!;
  }
  /** What is said now, and what on the table it is about. */
  get coach() {
    const { says, about } = this.#step;
    return { text: `${Math.min(this.at + 1, STEPS.length)}/${STEPS.length}. ${sayCode(`learn_${says}`)}`, about };
  }

  act(moves: string[]): Promise<Answer> {
    const { view, why, turned } = this.#step;
    if (!moves.every((move) => view.legal?.includes(move))) {
      const [code, parameters] = why ?? ["choose_first", {}];
      return Promise.resolve({ done: false, code, parameters });
    }
    const events = moves.flatMap((move) => this.#events(move, turned));
    // As at a table: first the answer, then what came of it.
    window.setTimeout(() => {
      this.onstep?.([{ version: this.at, at: Date.now(), game: 1, ply: this.at, events, notices: [] }]);
      this.at += 1;
      if (this.at >= STEPS.length) window.setTimeout(this.#done, 900);
    });
    return Promise.resolve({ done: true });
  }

  #events(text: string, turned: Step["turned"]): Event[] {
    const move = parseMove(text);
    const pile = this.view.pile.length;
    switch (move.type) {
      case "play":
        return [{ event: "played", seat: 0, kind: move.kind, count: move.count, source: this.view.source ?? "hand" }];
      case "pick_up":
        return [{ event: "picked_up", seat: 0, count: pile }];
      case "give":
        return [{ event: "gave", seat: 0, to: move.seat, count: pile }];
      case "turn_over": {
        const { kind = "", fits = true } = turned ?? {};
        const told: Event = { event: "turned_over", seat: 0, kind, fits, place: move.place };
        return fits ? [told] : [told, { event: "picked_up", seat: 0, count: pile + 1 }];
      }
      default:
        return [];
    }
  }

  ask = (): Promise<Answer> => Promise.resolve({ done: true });
  mute = this.ask;
  close(): void {}
  again(): void {}
  playOn(): void {}
}
