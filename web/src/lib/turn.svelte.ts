/** One's own turn: what may be done now, which cards are selected for it, and the doing. */
import { say } from "./say.svelte";
import { kindName, stacks } from "./cards";
import type { Link } from "./live.svelte";
import { settings } from "./settings.svelte";
import { errorText } from "./texts";
import { parseMove, playable, playText, type View } from "./view";
import type { Voice } from "./voice.svelte";

export class Turn {
  selected = $state(new Map<string, number>());
  busy = $state(false);
  readonly #link: () => Link;
  readonly #view: () => View;
  readonly #voice: Voice;
  readonly #confirm: (move: string) => void;

  /** `confirm` asks the player about a move that cannot be undone. */
  constructor(link: () => Link, view: () => View, voice: Voice, confirm: (move: string) => void) {
    this.#link = link;
    this.#view = view;
    this.#voice = voice;
    this.#confirm = confirm;
  }

  get me() {
    return this.#view().seat;
  }
  get paused() {
    return this.#link().table?.paused ?? false;
  }
  get mine() {
    return this.#view().legal.length > 0 && !this.paused;
  }
  get locked() {
    return !this.#link().live || this.busy || this.paused;
  }
  /** Kinds that may be played now, with their counts. */
  get open() {
    return playable(this.#view().legal);
  }
  get source(): View["source"] {
    return this.#view().source;
  }
  get choosing() {
    return this.#view().phase === "choose" && this.me !== null && this.#view().legal.length > 0;
  }
  get toChoose(): number {
    if (!this.choosing) return 0;
    const picked = [...this.selected.values()].reduce((sum, count) => sum + count, 0);
    return Math.max(0, (this.#link().counts?.to_choose ?? 0) - picked);
  }
  /** The kind selected for a play, and the counts of it that may be played. */
  get kind() {
    return this.choosing ? null : ([...this.selected.keys()][0] ?? null);
  }
  get counts() {
    return this.kind === null ? [] : (this.open.get(this.kind) ?? []);
  }
  /** Seats that the pile may be given to. */
  get targets() {
    return new Set(this.#moves().flatMap((move) => (move.type === "give" ? [move.seat] : [])));
  }
  /** Places of face-down cards that may be turned over. */
  get blind() {
    return new Set(this.#moves().flatMap((move) => (move.type === "turn_over" ? [move.place] : [])));
  }

  #moves() {
    return this.mine ? this.#view().legal.map(parseMove) : [];
  }

  get mayPickUp(): boolean {
    return this.#view().legal.includes("P");
  }

  letGo(): void {
    this.selected = new Map();
  }

  /** A selection outlives the others' turns, and goes, visibly, when it does not fit any more. */
  review(): void {
    const view = this.#view();
    const up = this.me === null ? [] : (view.face_up[this.me] ?? []).filter((kind) => kind !== null);
    const own = new Map(stacks([...(view.hand ?? []), ...up]).map((stack) => [stack.kind, stack.count]));
    const kept = new Map<string, number>();
    for (const [kind, count] of this.selected) {
      const held = Math.min(count, own.get(kind) ?? 0);
      if (view.phase === "play" && view.legal.length > 0) {
        const fitting = (this.open.get(kind) ?? []).filter((number) => number <= count).at(-1);
        if (fitting !== undefined) kept.set(kind, fitting);
        else if (held > 0) this.#voice.explain(say("web_preselect_gone", { card: kindName(kind) }));
      } else if (held > 0 && view.phase !== "choose") kept.set(kind, held);
    }
    this.selected = kept;
  }

  /** `about` is the anchor of what was pressed, to which a refusal points. */
  async act(moves: string[], about: string | null = null): Promise<void> {
    if (this.locked) return this.#voice.explain(this.paused ? say("error_paused") : say("web_why_not_live"));
    this.busy = true;
    const answer = await this.#link().act(moves);
    this.busy = false;
    if (answer.done) this.letGo();
    else this.#voice.explain(errorText(answer.code, answer.parameters), about);
  }

  /** Do it, or first ask, where the player wants to be asked before what cannot be undone. */
  carefully(move: string): void {
    const type = parseMove(move).type;
    if (settings.confirm && (type === "pick_up" || type === "turn_over")) this.#confirm(move);
    else void this.act([move]);
  }

  /** A card of the hand or a face-up card was pressed. */
  press(kind: string, place: "hand" | "face_up"): void {
    const view = this.#view();
    this.#voice.toast = "";
    if (this.choosing) return this.#pick(kind);
    if (view.phase === "choose" || view.phase === "over" || this.me === null) return;
    if (!this.mine) return this.#preselect(kind, place);
    if (!this.#from(place)) return;
    const fitting = this.open.get(kind);
    if (!fitting) return void this.act([kind], `${place === "hand" ? "hand" : "up"}-${kind}`); // the table says why not
    if (this.kind === kind) void this.act([playText(kind, this.selected.get(kind) ?? 1)]);
    else this.selected = new Map([[kind, fitting.at(-1) ?? 1]]);
  }

  /** Is it from here that cards are played? If not, says so: a move's text does not tell where its cards lie. */
  #from(place: "hand" | "face_up"): boolean {
    if (!this.mine || this.source === null || this.source === place) return true;
    this.#voice.explain(errorText(`${this.source}_first`), this.source === "hand" ? "hand" : "table");
    return false;
  }

  #pick(kind: string): void {
    const have = (this.#view().hand ?? []).filter((card) => card === kind).length;
    const count = this.selected.get(kind) ?? 0;
    const next = new Map(this.selected);
    if (this.toChoose > 0 && count < have) next.set(kind, count + 1);
    else if (count > 0) next.delete(kind);
    else return this.#voice.explain(say("web_choose_enough"), "hand");
    this.selected = next;
  }

  #preselect(kind: string, place: "hand" | "face_up"): void {
    if (this.kind === kind) return this.letGo();
    const view = this.#view();
    const cards = place === "hand" ? (view.hand ?? []) : (view.face_up[this.me ?? 0] ?? []);
    const have = cards.filter((card) => card === kind).length;
    this.selected = new Map([[kind, Math.min(have, this.#link().counts?.most_at_once ?? have)]]);
  }

  /** The cards chosen to lie face up are laid down. */
  choose(): void {
    if (this.toChoose > 0) this.#voice.explain(say("web_turn_choosing", { count: this.toChoose }));
    else void this.act([...this.selected].flatMap(([kind, count]) => Array<string>(count).fill(`^${kind}`)));
  }

  /** A card was dragged onto the pile. */
  drop(kind: string): void {
    if (this.choosing) return;
    if (!this.#from("hand")) return;
    const fitting = this.open.get(kind);
    if (!fitting) return void this.act([kind], `hand-${kind}`);
    void this.act([playText(kind, this.kind === kind ? (this.selected.get(kind) ?? 1) : (fitting.at(-1) ?? 1))]);
  }

  turnOver(place: number): void {
    if (this.blind.has(place)) this.carefully(`?${place}`);
    else void this.act([`?${place}`], `down-${place}`);
  }
}
