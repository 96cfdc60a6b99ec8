import { describe, expect, it } from "vitest";
import { byKind, hueOf, stacks } from "../src/lib/cards";
import { around } from "../src/lib/seats";
import { bounds, others, parseMove, playable, playText, type View } from "../src/lib/view";

const view = (part: Partial<View>): View => ({
  seat: 0, ply: 0, edition: "mini", rules: {}, players: ["a", "b", "c"], dealer: 2, phase: "play", actor: 0, legal: [],
  hand: [], hand_sizes: [0, 0, 0], known: [[], [], []], face_up: [[], [], []], face_down: [[], [], []], pile: [], draw_pile: 0,
  removed: [], run: null, source: "hand", must_play: null, quiet: 0, places: [], loser: null, ...part,
});

describe("moves", () => {
  it("are taken apart", () => {
    expect(parseMove("12x2")).toEqual({ type: "play", kind: "12", count: 2 });
    expect(parseMove("B")).toEqual({ type: "play", kind: "B", count: 1 });
    expect(parseMove("^G")).toEqual({ type: "choose", kind: "G" });
    expect(parseMove("?2")).toEqual({ type: "turn_over", place: 2 });
    expect(parseMove(">11")).toEqual({ type: "give", seat: 11 });
    expect(parseMove("P")).toEqual({ type: "pick_up" });
    expect(parseMove("D")).toEqual({ type: "draw" });
    expect(parseMove("N")).toEqual({ type: "leave" });
  });

  it("that play are gathered by kind, with their counts", () => {
    const open = playable(["7", "7x2", "B", "P", "?0", ">1"]);
    expect([...open]).toEqual([
      ["7", [1, 2]],
      ["B", [1]],
    ]);
    expect(playText("7", 1)).toBe("7");
    expect(playText("7", 3)).toBe("7x3");
  });
});

describe("a view", () => {
  it("lights the numbers that are asked for", () => {
    expect(bounds({ at_least: 7 })).toEqual([7, 16]);
    expect(bounds({ at_most: 5 })).toEqual([1, 5]);
    expect([bounds(null), bounds("table-card")]).toEqual([[1, 16], [1, 16]]);
  });

  it("lists the others in turn order", () => {
    expect(others(view({ seat: 1 }))).toEqual([2, 0]);
    expect(others(view({ seat: null, dealer: 2 }))).toEqual([0, 1, 2]);
  });
});

describe("cards", () => {
  it("are stacked by kind, numbers first", () => {
    expect(stacks(["B", "10", "9", "10", "G"])).toEqual([
      { kind: "9", count: 1 },
      { kind: "10", count: 2 },
      { kind: "G", count: 1 },
      { kind: "B", count: 1 },
    ]);
    expect(["B", "2", "10", "G"].sort(byKind)).toEqual(["2", "10", "G", "B"]);
  });

  it("run from cool to hot without a jump", () => {
    const steps = Array.from({ length: 15 }, (_, index) => hueOf(index + 2) - hueOf(index + 1));
    expect(Math.max(...steps) - Math.min(...steps)).toBeLessThan(1e-9);
  });
});

describe("seats around the oval", () => {
  for (let count = 1; count <= 11; count++)
    it(`leave ${count} tiles apart`, () => {
      const points = around(count);
      expect(points).toHaveLength(count);
      // A table of 956 × 470 pixels, the smallest wide one; a tile is 82 high.
      const tile = count >= 10 ? 104 : count >= 7 ? 112 : 132;
      for (const [index, a] of points.entries())
        for (const b of points.slice(index + 1)) {
          const apart = Math.abs(a.x - b.x) * 9.56 >= tile || Math.abs(a.y - b.y) * 4.7 >= 82;
          expect(apart, `${index}: ${JSON.stringify([a, b])}`).toBe(true);
        }
    });
});
