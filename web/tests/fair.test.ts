import { describe, expect, it } from "vitest";
import { deal, isLeftOut, newSeed, seatCommitment, serverCommitment, verify } from "../src/lib/fair";

const MINI = { copies: 2, decks: 1, give_cards: true };
const secret = "ab".repeat(64);
const seeds = ["01".repeat(32), "00".repeat(32)];

describe("the fair deal", () => {
  it("deals every card once, the same deck for the same parts", () => {
    const deck = deal("tab", 3, secret, seeds, MINI);
    expect(deck).toHaveLength(40);
    expect(new Set(deck).size).toBe(20);
    expect(deal("tab", 3, secret, seeds, MINI)).toEqual(deck);
    expect(deal("tab", 4, secret, seeds, MINI)).not.toEqual(deck);
    expect(deal("tab", 3, secret, [...seeds].reverse(), MINI)).not.toEqual(deck);
    expect(deal("tab", 3, secret, seeds, { ...MINI, give_cards: false })).toHaveLength(38);
  });

  it("notices a changed deck, secret or seed", () => {
    const fair = {
      table: "tab", game: 3, secret, commitment: serverCommitment("tab", 3, secret),
      seats: [
        { commitment: seatCommitment("tab", 3, 0, seeds[0]!), seed: seeds[0]!, missing: false },
        { commitment: null, seed: seeds[1]!, missing: false },
      ],
    };
    const deck = deal("tab", 3, secret, seeds, MINI);
    const record = { deck, rules: {}, fair };
    expect(verify(record, MINI)).toEqual({ server: true, seats: [true, null], deck: true });
    expect(verify({ ...record, deck: [...deck].reverse() }, MINI).deck).toBe(false);
    expect(verify({ ...record, fair: { ...fair, secret: "cd".repeat(64) } }, MINI).server).toBe(false);
    const forged = [{ ...fair.seats[0]!, seed: "02".repeat(32) }, fair.seats[1]!];
    expect(verify({ ...record, fair: { ...fair, seats: forged } }, MINI).seats[0]).toBe(false);
  });

  it("notices that our own seed was left out", () => {
    const seat = (seed: string | null) => ({ commitment: null, seed, missing: false });
    const fair = (state: "revealing" | "dealt", seed: string | null) => ({
      version: 1, table: "tab", game: 3, state, commitment: "", secret: null, seats: [seat(seeds[1]!), seat(seed)], deadline: null,
    });
    const part = { seat: 1, seed: seeds[0]!, promised: "" };
    expect(isLeftOut(fair("revealing", null), 1, part)).toBe(false);
    expect(isLeftOut(fair("dealt", seeds[0]!), 1, part)).toBe(false);
    expect(isLeftOut(fair("dealt", seeds[1]!), 1, part)).toBe(true);
    expect(isLeftOut(fair("dealt", seeds[1]!), 1, null)).toBe(false);
    expect(isLeftOut(fair("dealt", seeds[1]!), 0, part)).toBe(false);
  });

  it("makes seeds of 32 bytes", () => {
    expect(newSeed()).toMatch(/^[0-9a-f]{64}$/);
    expect(newSeed()).not.toBe(newSeed());
  });
});
