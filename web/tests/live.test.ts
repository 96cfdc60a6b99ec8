/** When a table's connection asks whether the server is there, and when it takes it for gone. */
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { Live } from "../src/lib/live.svelte";

class Line {
  static readonly OPEN = 1;
  readyState = 1;
  sent: { type: string }[] = [];
  onopen: (() => void) | null = null;
  onmessage: ((event: { data: string }) => void) | null = null;
  onclose: ((event: { code: number }) => void) | null = null;
  constructor() {
    lines.push(this);
  }
  send(text: string): void {
    this.sent.push(JSON.parse(text) as { type: string });
  }
  close(): void {
    this.readyState = 3;
  }
  hear(message: object): void {
    this.onmessage?.({ data: JSON.stringify(message) });
  }
  get beats(): number {
    return this.sent.filter((message) => message.type === "heartbeat").length;
  }
}

let lines: Line[] = [];
const nothing = { you: null, table: null, seats: null, view: null, counts: null };
const here = { addEventListener: () => undefined, removeEventListener: () => undefined };

/** A table that is live, and its line. */
function live(): [Live, Line] {
  const table = new Live("t");
  const line = lines[0]!;
  line.onopen?.();
  line.hear({ type: "welcome", version: 1, now: Date.now(), ...nothing, seats: [], missed: [], complete: true });
  return [table, line];
}

/** Time goes by, a second at a time. */
function wait(seconds: number, each: (second: number) => void = () => undefined): void {
  for (let second = 1; second <= seconds; second++) {
    vi.advanceTimersByTime(1000);
    each(second);
  }
}

beforeEach(() => {
  lines = [];
  vi.useFakeTimers();
  vi.stubGlobal("window", Object.assign(here, { setInterval, setTimeout }));
  vi.stubGlobal("document", { ...here, hidden: false });
  vi.stubGlobal("location", { protocol: "http:", host: "x" });
  vi.stubGlobal("localStorage", { getItem: () => null, setItem: () => undefined });
  vi.stubGlobal("navigator", { onLine: true });
  vi.stubGlobal("WebSocket", Line);
});

afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

it("asks in silence, and takes a server that does not answer for gone within ten seconds", () => {
  const [table, line] = live();
  wait(5);
  expect(line.beats).toBe(1);
  expect(table.live).toBe(true);
  wait(5);
  expect(table.live).toBe(false);
  table.close();
});

it("does not ask while it hears of moves, but for once in fifteen seconds", () => {
  const [table, line] = live();
  let version = 1;
  let answered = 0;
  wait(60, () => {
    line.hear({ type: "update", version: ++version, now: Date.now(), happened: [{ version, kind: "moved" }], ...nothing });
    if (line.beats > answered) line.hear({ type: "beat", beat: ++answered, version, now: Date.now() });
  });
  expect(table.live).toBe(true);
  expect(line.beats).toBeGreaterThanOrEqual(3);
  expect(line.beats).toBeLessThanOrEqual(4);
  table.close();
});

it("asks though it hears of moves, when an action of its own is not answered", () => {
  const [table, line] = live();
  let version = 1;
  void table.ask({ type: "resume" } as never);
  wait(10, () => {
    line.hear({ type: "update", version: ++version, now: Date.now(), happened: [{ version, kind: "moved" }], ...nothing });
  });
  expect(line.beats).toBe(1);
  expect(table.live).toBe(false);
  table.close();
});
