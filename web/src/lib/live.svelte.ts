/**
 * A table over its socket: what it is now, what happened, and whether that is still the truth.
 *
 * The table is live only while the server answers heartbeats. Every action keeps its id until it is
 * answered, so that it can be sent again after a lost connection without being done twice.
 */
import type { Act, Advice, Counts, FromClient, FromServer, Happening, Said, Seat, TableInfo, You } from "../protocol";
import { isLeftOut, keepPart, newSeed, recallPart, seatCommitment } from "./fair";
import { charactersOf, shownNames, shownReasons } from "./levels";
import { portraitAt } from "./portraits";
import type { View } from "./view";

export type Status = "connecting" | "live" | "reconnecting" | "offline" | "ended";
type Without<T> = T extends { id: string } ? Omit<T, "id"> : never;
export type Wish = Without<FromClient>;
export type Answer = { done: true } | { done: false; code: string; parameters: Record<string, unknown> };

interface Waiting {
  message: FromClient & { id: string };
  resolve: (answer: Answer) => void;
}

const BEAT = 4000; // after so much silence, or if an action waits so long, the server is asked whether it is there
const AT_LEAST = 15000; // and so often whatever comes, for the server wants to hear of us, too
const PATIENCE = 5000; // a beat unanswered for this long: with BEAT, silence shows within ten seconds
const PAUSES = [200, 500, 1000, 2000, 3000];
const FINAL = new Set([4002, 4003, 4004]);
const LOG = 400;


const muteWish = (who: number | string, muted: boolean): Wish =>
  typeof who === "number" ? { type: "mute", seat: who, name: null, muted } : { type: "mute", seat: null, name: who, muted };

/** What screens use of a table's connection. */
export type Link = Pick<Live, keyof Live>;

export class Live {
  status = $state<Status>("connecting");
  /** When the connection was lost, by our own clock. */
  since = $state(Date.now());
  /** Why the socket will not come back. */
  ending = $state<string | null>(null);
  you = $state.raw<You | null>(null);
  table = $state.raw<TableInfo | null>(null);
  #seats = $state.raw<Seat[]>([]);
  #view = $state.raw<View | null>(null);
  /** What the rules count for the view. */
  counts = $state.raw<Counts | null>(null);
  /** Everybody, by the name that is shown. */
  readonly seats = $derived.by(() => {
    const shown = shownNames(this.#seats.map((seat) => seat.name), charactersOf(this.#seats));
    return this.#seats.map((seat, index) => ({ ...seat, name: shown[index]! }));
  });
  /** How everybody is drawn. */
  readonly portraits = $derived(this.#seats.map((seat) => portraitAt(seat.seat, seat.portrait)));
  readonly view = $derived.by(() => {
    const [view, seats] = [this.#view, this.seats];
    return view && (view.players.length === seats.length ? { ...view, players: seats.map((seat) => seat.name) } : view);
  });
  log = $state.raw<Happening[]>([]);
  /** What happened while the connection was away. */
  missed = $state.raw<Happening[]>([]);
  speech = $state.raw<Said[]>([]);
  /** How much was said since the player last looked. */
  unread = $state(0);
  /** Seats, and watchers by name, that this player does not want to hear. */
  muted = $state.raw<ReadonlySet<number | string>>(new Set());
  advice = $state.raw<Advice | null>(null);
  sending = $state(0);
  /** Our seed is not in the present deal, and the player has not said to play on. */
  leftOut = $state(false);
  /** How often in a row no connection came about. */
  failures = $state(0);
  /** The server's clock minus ours. */
  skew = $state(0);

  /** Called with each new step, before the view is replaced. */
  onstep: ((steps: Happening[]) => void) | null = null;

  private socket: WebSocket | null = null;
  private version: number | null = null;
  private tries = 0;
  private beat = 0;
  private asked: number | null = null; // when the unanswered heartbeat was sent
  private waiting = new Map<string, Waiting>();
  private timer = 0;
  private retry = 0;
  private count = 0;
  private readonly mark = newSeed().slice(0, 12);
  private closed = false;

  constructor(readonly id: string) {
    this.connect();
    this.timer = window.setInterval(() => this.tick(), 500);
    window.addEventListener("online", this.wake);
    window.addEventListener("offline", this.wake);
    document.addEventListener("visibilitychange", this.wake);
  }

  get live(): boolean {
    return this.status === "live";
  }

  /** Let go of the socket for good. */
  close(): void {
    this.closed = true;
    clearInterval(this.timer);
    clearTimeout(this.retry);
    window.removeEventListener("online", this.wake);
    window.removeEventListener("offline", this.wake);
    document.removeEventListener("visibilitychange", this.wake);
    this.socket?.close();
  }

  /** Ask for something; resolves when the server has stored it or refused it, over however many connections. */
  ask(wish: Wish): Promise<Answer> {
    const id = `${this.mark}-${++this.count}`;
    const message = { ...wish, id } as FromClient & { id: string };
    return new Promise((resolve) => {
      this.waiting.set(id, { message, resolve });
      this.sending = this.waiting.size;
      if (this.live) this.send(message);
    });
  }

  /** Stop hearing a seat or a watcher, or hear them again. */
  async mute(who: number | string, muted: boolean): Promise<Answer> {
    const answer = await this.ask(muteWish(who, muted));
    if (answer.done) this.muted = new Set([...this.muted].filter((other) => other !== who).concat(muted ? [who] : []));
    return answer;
  }

  /** Answer the present view with moves. */
  act(moves: string[]): Promise<Answer> {
    if (this.leftOut) return Promise.resolve({ done: false, code: "bad_seed", parameters: {} });
    const wish: Omit<Act, "id"> = { type: "act", game: this.table?.game ?? 0, ply: this.view?.ply ?? 0, moves };
    return this.ask(wish);
  }

  /** Play these cards although our seed was left out of the deal. */
  playOn(): void {
    this.accepted = this.table?.game ?? 0;
    this.leftOut = false;
  }

  /** Take the table to this tab again. */
  again(): void {
    this.ending = null;
    this.status = "connecting";
    this.connect();
  }

  private connect(): void {
    if (this.closed) return;
    clearTimeout(this.retry);
    const scheme = location.protocol === "https:" ? "wss" : "ws";
    const socket = new WebSocket(`${scheme}://${location.host}/api/tables/${this.id}/socket`);
    this.socket = socket;
    this.asked = Date.now();
    socket.onopen = () => this.send({ type: "hello", protocol: 1, version: this.version });
    socket.onmessage = (event) => {
      if (this.socket === socket) this.hear(JSON.parse(event.data as string) as FromServer);
    };
    socket.onclose = (event) => {
      if (this.socket === socket) this.lost(event.code);
    };
  }

  private send(message: FromClient): void {
    if (this.socket?.readyState === WebSocket.OPEN) this.socket.send(JSON.stringify(message));
  }

  private lost(code: number): void {
    this.socket = null;
    if (this.closed) return;
    if (FINAL.has(code)) {
      this.status = "ended";
      this.ending ??= { 4002: "replaced", 4003: "kicked", 4004: "closed" }[code] ?? "closed";
      return;
    }
    if (this.status === "live") this.since = Date.now();
    this.status = navigator.onLine ? (this.status === "connecting" ? "connecting" : "reconnecting") : "offline";
    this.failures += 1;
    const pause = PAUSES[Math.min(this.tries++, PAUSES.length - 1)]!;
    clearTimeout(this.retry);
    this.retry = window.setTimeout(() => this.connect(), pause);
  }

  /** Give the present socket up and try another one. */
  private drop(): void {
    const socket = this.socket;
    this.socket = null;
    socket?.close();
    this.lost(1006);
  }

  private tick(): void {
    const now = Date.now();
    if (this.asked !== null && now - this.asked > PATIENCE) {
      if (this.socket) this.drop();
      return;
    }
    if (!this.live || this.asked !== null) return;
    const unsure = now - this.beaten > (this.waiting.size > 0 ? BEAT : AT_LEAST);
    if (unsure || now - this.heard > BEAT) this.pulse();
  }

  private heard = Date.now(); // when anything came
  private beaten = Date.now(); // when the server last answered that it is there

  private pulse(): void {
    this.asked = Date.now();
    this.send({ type: "heartbeat", beat: ++this.beat });
  }

  private wake = (): void => {
    if (this.closed || this.status === "ended") return;
    if (!navigator.onLine) {
      if (this.live) this.drop();
      else this.status = "offline";
    } else if (this.live) {
      if (!document.hidden) this.pulse();
    } else {
      this.tries = 0;
      if (!this.socket) this.connect();
    }
  };

  private hear(message: FromServer): void {
    this.heard = Date.now();
    switch (message.type) {
      case "welcome": {
        const first = this.version === null;
        this.skew = message.now - Date.now();
        this.onstep?.(first ? [] : message.missed);
        this.you = message.you;
        this.table = message.table;
        this.#seats = message.seats;
        this.#view = message.view;
        this.counts = message.counts;
        this.version = message.version;
        this.remember(message.missed);
        if (first) this.missed = this.unseen(message.missed);
        else if (this.status !== "live") this.missed = message.missed;
        this.see();
        this.status = "live";
        this.tries = 0;
        this.failures = 0;
        this.asked = null;
        this.beaten = Date.now();
        for (const { message: waiting } of this.waiting.values()) this.send(waiting);
        if (!first) for (const who of this.muted) void this.ask(muteWish(who, true)); // a new start of the server forgets
        this.dealFairly();
        break;
      }
      case "update": {
        if (this.version === null) break;
        if (message.version > this.version + 1 && message.happened.length < message.version - this.version) {
          this.send({ type: "hello", protocol: 1, version: this.version });
          break;
        }
        if (message.version < this.version) break;
        this.skew = message.now - Date.now();
        this.onstep?.(message.happened);
        if (message.you) this.you = message.you;
        if (message.table) this.table = message.table;
        if (message.seats) this.#seats = message.seats;
        if (message.view) [this.#view, this.counts] = [message.view, message.counts];
        this.version = message.version;
        this.remember(message.happened);
        this.see();
        this.dealFairly();
        break;
      }
      case "ack":
        this.answered(message.id, { done: true });
        break;
      case "refused":
        this.answered(message.id, { done: false, code: message.code, parameters: message.parameters });
        break;
      case "beat":
        this.asked = null;
        this.beaten = Date.now();
        this.skew = message.now - Date.now();
        if (this.version !== null && message.version > this.version)
          this.send({ type: "hello", protocol: 1, version: this.version });
        break;
      case "said":
        if (message.seat !== this.you?.seat) this.unread += 1;
        this.speech = [...this.speech, message].slice(-60);
        break;
      case "advice":
        this.advice = { ...message, reasons: shownReasons(message.reasons, this.#seats) };
        break;
      case "error":
        this.ending = message.code;
        break;
    }
  }

  /** What happened since this browser last looked, if that was more than a moment ago. */
  private unseen(steps: Happening[]): Happening[] {
    try {
      const [version, at] = JSON.parse(localStorage.getItem(`karma.seen.${this.id}`) ?? "[0, 0]") as [number, number];
      if (version === 0 || Date.now() - at < 20_000) return [];
      this.since = at;
      return steps.filter((step) => step.version > version);
    } catch {
      return [];
    }
  }

  private see(): void {
    if (document.hidden) return;
    try {
      localStorage.setItem(`karma.seen.${this.id}`, JSON.stringify([this.version, Date.now()]));
    } catch {
      // Without storage there is no memory of what was seen.
    }
  }

  private answered(id: string, answer: Answer): void {
    this.waiting.get(id)?.resolve(answer);
    this.waiting.delete(id);
    this.sending = this.waiting.size;
  }

  private remember(steps: Happening[]): void {
    const last = this.log.at(-1)?.version ?? -1;
    const fresh = steps.filter((step) => step.version > last);
    if (fresh.length > 0) this.log = [...this.log, ...fresh].slice(-LOG);
  }

  /** Do our part of the deal: commit to random bytes, then reveal them; say so if they were left out. */
  private dealFairly(): void {
    const fair = this.table?.fair;
    const seat = this.you?.seat;
    if (!fair || seat === null || seat === undefined) return;
    const mine = fair.seats[seat];
    if (!mine) return;
    const leftOut = isLeftOut(fair, seat, recallPart(fair.table, fair.game));
    this.leftOut = leftOut && this.accepted !== fair.game;
    if (leftOut && this.doing !== `l${fair.game}`) {
      this.doing = `l${fair.game}`;
      void this.ask({ type: "left_out", game: fair.game });
    }
    if (fair.state === "committing" && mine.commitment === null) {
      let part = recallPart(fair.table, fair.game);
      if (part?.seat !== seat) {
        part = { seat, seed: newSeed(), promised: fair.commitment };
        keepPart(fair.table, fair.game, part);
      } else if (this.doing === `c${fair.game}`) return;
      this.doing = `c${fair.game}`;
      const commitment = seatCommitment(fair.table, fair.game, seat, part.seed);
      void this.ask({ type: "commit", game: fair.game, commitment });
    } else if (fair.state === "revealing" && mine.commitment !== null && mine.seed === null) {
      const part = recallPart(fair.table, fair.game);
      if (!part || this.doing === `r${fair.game}`) return;
      this.doing = `r${fair.game}`;
      void this.ask({ type: "reveal", game: fair.game, seed: part.seed });
    }
  }

  private doing = "";
  private accepted = 0;
}
