/** For those who work on the look: the table in hard moments, without a server (`npm run dev`, then /dev/?scene=crowd). */
import { mount } from "svelte";
import { speak } from "../src/lib/say.svelte";
import { portraitAt } from "../src/lib/portraits";
import { keepSettings, settings, type Theme } from "../src/lib/settings.svelte";
import type { View } from "../src/lib/view";
import End from "../src/screens/End.svelte";
import Game from "../src/screens/Game.svelte";
import Lobby from "../src/screens/Lobby.svelte";
import "../src/theme.css";

const query = new URLSearchParams(location.search);
settings.language = query.get("language") ?? "en";
await speak(settings.language);
settings.theme = (query.get("theme") ?? "light") as Theme;
settings.hints = query.has("hints");
settings.leftHanded = query.has("left");
keepSettings();

const NAMES = ["Ana", "Борис", "Chloé", "Dimitri the Great", "Emeka", "Fatima", "Grace", "Хироши", "Ines", "João", "Kim", "Lev"];

function view(players: number, hand: string[], extra: Partial<View> = {}): View {
  const each = <T>(value: (seat: number) => T) => Array.from({ length: players }, (_, seat) => value(seat));
  return {
    seat: 0, ply: 47, edition: "classic", rules: {}, players: NAMES.slice(0, players), dealer: 1, phase: "play", actor: 0,
    legal: [...new Set(hand.filter((kind) => !(Number(kind) < 7)))].flatMap((kind) => {
      const count = hand.filter((card) => card === kind).length;
      return Array.from({ length: Math.min(3, count) }, (_, index) => (index === 0 ? kind : `${kind}x${index + 1}`));
    }).concat("P"),
    hand, hand_sizes: each((seat) => (seat === 0 ? hand.length : 3 + ((seat * 5) % 14))),
    known: each((seat) => (seat % 3 === 1 ? ["4", "9", "9", "G"] : [])),
    face_up: each((seat) => [["6", "8", "14"], ["9", "16", "G"], ["1", "7"], ["12", "12", "12"]][seat % 4] ?? []),
    face_down: each((seat) => [true, seat % 5 !== 4, true]),
    pile: ["3", "3", "12", "B", "5", "7", "7"], draw_pile: 12, removed: ["2", "2", "2", "13"], run: { kind: "7", length: 2 },
    source: "hand", must_play: { at_least: 7 }, quiet: 1, places: [], loser: null, ...extra,
  };
}

const ALL = ["1", "2", "3", "4", "5", "6", "7", "8", "9", "10", "11", "12", "13", "14", "15", "16", "G", "F", "T", "B"];
const SCENES: Record<string, View> = {
  usual: view(4, ["3", "7", "9", "12", "12", "F"]),
  two: view(2, ["3", "7", "G"]),
  three: view(3, ["3", "4", "6", "7", "8", "9", "10", "12", "12", "16", "G", "B"]),
  six: view(6, ["3", "7", "7", "G"]),
  crowd: view(12, [...ALL, ...ALL.slice(4, 14)]),
  theirs: view(4, ["3", "7", "12"], { actor: 2, legal: [] }),
  choose: view(4, ["2", "7", "7", "12", "16", "T"], {
    phase: "choose", ply: 0, pile: [], removed: [], run: null, source: null, must_play: null, face_up: [[], [null, null, null], [], []],
    legal: ["^2", "^7", "^12", "^16", "^T"],
  }),
  give: view(5, ["3", "7"], { phase: "give", legal: [">1", ">2", ">3", ">4"], must_play: null }),
  table: view(4, ["3", "7", "9"], { must_play: "table-card", legal: ["6", "8", "14"] }),
  blind: view(3, [], { legal: ["?0", "?2", "P"], face_up: [[], ["3"], []], face_down: [[true, false, true], [true], []], draw_pile: 0 }),
  five: view(4, ["3", "7", "9", "B"], { must_play: { at_most: 5 }, legal: ["3", "B", "P"], pile: ["8", "F"] }),
  empty: view(4, ["3", "7", "9", "B"], { must_play: null, legal: ["3", "7", "9", "B"], pile: [] }),
  over: view(4, [], { phase: "over", actor: null, legal: [], places: [0, 2, 1], loser: 3 }),
};

const scene = query.get("scene") ?? "usual";
const shown = SCENES[scene] ?? SCENES["usual"]!;
const now = Date.now();
const events = [
  { event: "played", seat: 3, kind: "7", count: 2, source: "hand" },
  { event: "gave", seat: 2, to: 3, count: 9 },
  { event: "completed_set", seat: 1, kind: "12", count: 3 },
];
const link = {
  id: "demo", status: query.has("lost") ? "reconnecting" : "live", since: now - 7000, ending: null, live: !query.has("lost"),
  you: { player: "x", name: "Ana", seat: 0, host: true, invite: "K7QM-3XPA" },
  table: {
    table: "demo", phase: "playing", paused: false, game: 1,
    settings: { edition: "classic", rules: { set_size: 2 }, clock: "fast", days: 3, privacy: "private", spectators: "live", chat: true, memory_aid: true, rated: false },
    rules: { set_size: 3, max_play: 3 }, least_players: 2, most_players: 6, move_seconds: 30, dealer: 1,
    score: [{ name: "Ana", seat: 0, played: 3, lost: 1 }, { name: "Борис", seat: 1, played: 3, lost: 2 }], fair: null, practice: false, hints: true, spectators: 2,
  },
  seats: shown.players.map((name, seat) => ({
    seat, name, bot: seat % 4 === 3 ? "greedy" : null, host: seat === 0, connected: seat !== 2, away_since: seat === 2 ? now - 25000 : null, covered: null, failed: false, chosen: seat === 1,
    deadline: seat === shown.actor ? now + 23000 : null, remaining: null, rematch: false,
  })),
  view: shown, portraits: shown.players.map((_, seat) => portraitAt(seat, { face: seat % 4 === 3 ? seat % 12 : seat % 3 === 1 ? 12 + seat : null })), muted: new Set(), unread: 2, mute: () => Promise.resolve({ done: true }),
  log: [
    { version: 1, at: now, game: 1, ply: 0, events: [], notices: [{ code: "dealt", parameters: { game: 1, dealer: 1 } }] },
    ...events.map((event, index) => ({ version: index + 2, at: now, game: 1, ply: 40 + index, events: [event], notices: [] })),
  ],
  missed: [], speech: [], advice: null, sending: 0, skew: 0, onstep: null,
  ask: () => Promise.resolve({ done: true }), act: () => Promise.resolve({ done: true }), close: () => {}, again: () => {},
};

const target = document.getElementById("app")!;
// The scene's table stands still: it has the fields of a connection and none of its life.
const props = { link: link as never, view: shown, onend: () => {}, onlook: () => {} };
if (scene === "lobby") mount(Lobby, { target, props });
else if (scene === "end") mount(End, { target, props: { ...props, view: SCENES["over"]! } });
else mount(Game, { target, props });

// A moment's own scene: ?moment=out or ?moment=lost.
const wanted = query.get("moment");
if (wanted)
  setTimeout(() => {
    const happened = wanted === "out" ? { event: "went_out", seat: 1, place: 1 } : { event: "ended", loser: 3 };
    (link.onstep as ((steps: unknown[]) => void) | null)?.([{ version: 9, at: now, game: 1, ply: 48, events: [happened], notices: [] }]);
  }, 500);
