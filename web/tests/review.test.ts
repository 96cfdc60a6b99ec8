import { expect, it } from "vitest";
import { points } from "../src/lib/points";
import { jumps, lossOf } from "../src/lib/review";
import type { GameReview } from "../src/protocol";

const review: GameReview = {
  game: 1,
  done: 4,
  total: 4,
  players: ["Ana", "Bo"],
  judge: "mini-2",
  worlds: 100,
  seats: null,
  values: [[0.5, 0.5], [0.8, 0.2], [0.2, 0.8]],
  deal: [0.01, -0.01],
  chance: [{ ply: 0, what: "draw", seat: 0, kind: "G", luck: [0.2, -0.2] }],
  movers: [0, 1],
  mistakes: [],
};

it("names what moved a seat's chance: cards, and the moves themselves", () => {
  const told = jumps(review, 0).map(({ ply, what, seat, gain }) => [ply, what, seat, Math.round(100 * gain)]);
  expect(told).toEqual([
    [0, "draw", 0, 20],
    [0, "play", 0, 10],
    [1, "play", 1, -60],
  ]);
  const total = jumps(review, 1).reduce((sum, jump) => sum + jump.gain, 0);
  expect(total).toBeCloseTo(0.3);
});

it("writes points with a sign, and takes all face-down cards for one", () => {
  expect([points(0.314), points(-0.09), points(0.001)]).toEqual(["+31", "−9", "0"]);
  expect(lossOf({ "?0": 0.1, P: 0 }, "?2")).toBe(0.1);
  expect(lossOf({ "?0": 0.1, P: 0 }, "P")).toBe(0);
});
