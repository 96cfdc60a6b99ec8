/** What the table makes of a view and of who sits there. */
import { beforeAll, describe, expect, it, vi } from "vitest";
import { catalogue } from "../catalogues";
import { spread } from "../src/lib/cards";
import { handText } from "../src/lib/description";
import { keyOf } from "../src/lib/keys";
import { lessonFor, lessonText } from "../src/lib/lessons";
import { charactersOf, shownNames, shownReasons } from "../src/lib/levels";
import { speak } from "../src/lib/say.svelte";
import { secondsLeft, toTakeOver } from "../src/lib/seats";
import { standings } from "../src/lib/standings";
import { factText, noticeText, nudgeText } from "../src/lib/texts";
import type { View } from "../src/lib/view";

beforeAll(() => speak("ru"));

const view = (part: Partial<View>): View => ({
  seat: 0, ply: 0, edition: "mini", rules: {}, players: ["a", "b", "c"], dealer: 2, phase: "play", actor: 0, legal: [],
  hand: [], hand_sizes: [0, 0, 0], known: [[], [], []], face_up: [[], [], []], face_down: [[], [], []], pile: ["3"], draw_pile: 0,
  removed: [], run: null, source: "hand", must_play: null, quiet: 0, places: [], loser: null, ...part,
});

describe("a seat's clock", () => {
  it("does not begin with more seconds than there are, however long ago it ticked", () => {
    vi.useFakeTimers({ now: 1_000_400 });
    const skew = -400; // the server's clock shows 1,000,000
    expect(secondsLeft({ deadline: 1_020_000, remaining: null }, skew, 1_000_000)).toBe(20);
    expect(secondsLeft({ deadline: 1_020_000, remaining: null }, skew, 1_020_300)).toBe(1);
    expect(secondsLeft({ deadline: 1_020_000, remaining: null }, skew, 1_030_000)).toBe(0);
    expect(secondsLeft({ deadline: null, remaining: 4_200 }, skew, 1_000_000)).toBe(5);
    expect(secondsLeft({ deadline: null, remaining: null }, skew, 1_000_000)).toBe(null);
    vi.useRealTimers();
  });
});

describe("the notes of a first game", () => {
  it("do not call a hand empty after a Table card", () => {
    const moment = view({ source: "face_up", must_play: "table-card", hand: ["4", "9"], legal: ["6", "8"] });
    expect(lessonFor(moment, true, [])).toBe("table");
    expect(lessonFor(moment, true, ["table"])).toBe(null);
    expect(lessonFor(view({ source: "face_up", must_play: { at_least: 3 } }), true, ["ring"])).toBe("face_up");
  });
  it("do not speak of table cards where a Table card calls for the hand, nor of a pile where there is none", () => {
    expect(lessonFor(view({ source: "hand", must_play: "table-card", legal: ["6"] }), true, [])).toBe(null);
    expect(lessonFor(view({ pile: [], must_play: { at_most: 5 }, legal: ["P"] }), true, ["first", "five"])).toBe(null);
  });
  it("tell of sets and of drawing where there are such", () => {
    const read = ["karma", "ring"];
    expect(lessonFor(view({ removed: ["G"] }), true, read)).toBe(null);
    expect(lessonFor(view({ removed: ["7", "7", "7"] }), true, read)).toBe("set");
    expect(lessonFor(view({ ply: 12 }), true, read)).toBe(null);
    expect(lessonFor(view({ draw_pile: 9, ply: 12 }), true, read)).toBe("draw");
  });
  it("say how cards are drawn at this table", () => {
    const russian = catalogue("ru");
    const ways = Object.keys(russian).flatMap((key) => (key.startsWith("rules_set_again_") ? [key.slice("rules_set_again_".length)] : []));
    expect(ways).toHaveLength(3);
    for (const way of ways) {
      const rules = { drawing: way.replace("_", "-") };
      expect(russian[`lesson_draw_${way}`]).toBeTruthy();
      expect(lessonText("draw", rules)).toBe(russian[`lesson_draw_${way}`]);
      expect(lessonText("set", rules)).toBe(russian["lesson_set"]);
    }
  });
});

describe("seats to take over", () => {
  const bot = { bot: "greedy", covered: null, offered: false };
  const left = { bot: null, covered: "left" as const, offered: false };
  const away = { bot: null, covered: "absent" as const, offered: false };

  it("are between games all that bots play for nobody", () => {
    expect(toTakeOver("lobby", [bot, left, away])).toEqual([bot, left]);
    expect(toTakeOver("over", [bot, left, away])).toEqual([bot, left]);
  });

  it("are in a running game those that the host offers", () => {
    expect(toTakeOver("playing", [bot, left, away])).toEqual([]);
    const offered = { ...bot, offered: true };
    expect(toTakeOver("playing", [bot, offered, left])).toEqual([offered]);
    expect(toTakeOver("deal", [offered, { ...left, offered: true }])).toHaveLength(2);
  });
});

describe("keys", () => {
  it("are found by their place where the layout has other letters", () => {
    expect(keyOf({ key: "ы", code: "KeyS" })).toBe("s");
    expect(keyOf({ key: "Р", code: "KeyH" })).toBe("h");
    expect(keyOf({ key: "S", code: "Semicolon" })).toBe("s"); // Dvorak
    expect(keyOf({ key: "?", code: "Digit7" })).toBe("?");
    expect(keyOf({ key: "Escape", code: "Escape" })).toBe("escape");
  });
});

describe("an empty hand", () => {
  it("is said together with what is there to be played", () => {
    const russian = catalogue("ru");
    const told = handText(view({ hand: [], face_up: [["6", "14"], [], []], face_down: [[true, false, true], [], []] }));
    expect(told).toContain(russian["text_hand_empty"]);
    expect(told).toContain("14");
  });
});

describe("a time-out", () => {
  const notice = { code: "clock_ran_out" as const, parameters: { seat: 1, name: "b" } };
  it("is told to whom it happened as theirs", () => {
    expect(noticeText(notice, ["a", "b"], 1)).toContain("Ваше время");
    expect(noticeText(notice, ["a", "b"], 0)).toContain("b: время");
  });
});

describe("places", () => {
  it("leave nobody out when a game went round", () => {
    const stalled = standings(view({ players: ["a", "b", "c", "d"], places: [2], loser: null }));
    expect(stalled.map(({ seat, place }) => [seat, place])).toEqual([[2, 1], [0, 2], [1, 2], [3, 2]]);
  });
  it("end with who lost", () => {
    expect(standings(view({ places: [1, 0], loser: 2 })).at(-1)).toEqual({ seat: 2, place: 3, lost: true });
  });
});

describe("names", () => {
  it("are characters for bots and what people said for people", () => {
    const seats = [{ bot: null, portrait: { face: 13 } }, { bot: "casual", portrait: { face: 0 } }, { bot: "casual", portrait: { face: 1 } }, { bot: "steady", portrait: {} }];
    expect(shownNames(["master", "casual", "casual 2", "Ana"], charactersOf(seats))).toEqual(["master", "Момо", "Пип", "Ana"]);
  });
  it("of bots in a hint are their characters', too, and its numbers are written as here", () => {
    const seats = [{ name: "Ana", bot: null, portrait: { face: 13 } }, { name: "casual", bot: "casual", portrait: { face: 0 } }];
    const reasons = shownReasons([{ code: "next_must", parameters: { name: "casual" } }, { code: "gave", parameters: { name: "Ana", count: 3 } }], seats);
    expect(nudgeText(reasons)).toMatch(/Момо.*Ana/);
    expect(factText({ fact: "cards_held", best: 2.24, made: 6 })).toMatch(/2,2.*6,0/);
  });
  it("of people in a notice stay as they are", () => {
    expect(noticeText({ code: "player_joined", parameters: { seat: 0, name: "master" } }, ["master"], null)).toContain("master");
    expect(noticeText({ code: "bot_added", parameters: { seat: 1, name: "casual", level: "casual" } }, ["master", "Момо"], null)).toContain("Момо");
  });
});

describe("a hand", () => {
  it("of twenty kinds lies in two rows of whole cards on a phone", () => {
    const { rows, card, cell, squat } = spread(20, 390, 844);
    expect([rows, squat]).toEqual([2, false]);
    expect(card).toBeGreaterThanOrEqual(60);
    expect(cell).toBeGreaterThanOrEqual(34);
  });
  it("of ten kinds lies in two rows where there is height for them, every card whole", () => {
    for (const stacks of [9, 10]) {
      const { rows, perRow, cell, card } = spread(stacks, 390, 844);
      expect([rows, perRow]).toEqual([2, 5]);
      expect(cell).toBe(card);
    }
    expect(spread(8, 390, 844).rows).toBe(1);
  });
  it.each([[360, 640], [320, 640], [422, 390], [360, 740], [960, 800]])("fits into %i × %i, whatever its size", (width, height) => {
    for (let stacks = 1; stacks <= 20; stacks++) {
      const { rows, perRow, cell, card } = spread(stacks, width, height);
      expect(rows * perRow).toBeGreaterThanOrEqual(stacks);
      expect((perRow - 1) * cell + card).toBeLessThanOrEqual(width + 0.01);
      expect(cell).toBeGreaterThanOrEqual(height >= 700 ? 33.9 : 43.9);
    }
  });
  it("is as large as a phone on its side allows, and never higher than it", () => {
    for (let stacks = 1; stacks <= 20; stacks++) {
      const { rows, perRow, cell, card, squat } = spread(stacks, 410, 390, true);
      expect(rows * perRow).toBeGreaterThanOrEqual(stacks);
      expect((perRow - 1) * cell + card).toBeLessThanOrEqual(410.01);
      expect(cell).toBeGreaterThanOrEqual(43.9);
      expect(rows * (squat ? 54 : card * 1.38 + 6)).toBeLessThanOrEqual(200.01);
      if (stacks <= 7) expect(card).toBeGreaterThanOrEqual(68);
    }
  });
});
