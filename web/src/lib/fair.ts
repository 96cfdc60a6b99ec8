/** The fair deal, byte for byte as the protocol's page writes it: commitments, and dealing the deck again. */
import { sha256 } from "@noble/hashes/sha2.js";
import { shake256 } from "@noble/hashes/sha3.js";
import { bytesToHex, concatBytes, hexToBytes, utf8ToBytes } from "@noble/hashes/utils.js";
import type { Fair } from "../protocol";
import { KINDS } from "./cards";

const VERSION = 1;

const u8 = (number: number) => Uint8Array.of(number);

function u32(number: number): Uint8Array {
  const bytes = new Uint8Array(4);
  new DataView(bytes.buffer).setUint32(0, number);
  return bytes;
}

function text(value: string): Uint8Array {
  const bytes = utf8ToBytes(value);
  return concatBytes(u8(bytes.length), bytes);
}

const head = (word: string, table: string, game: number) =>
  concatBytes(text(word), u8(VERSION), text(table), u32(game));

export function newSeed(): string {
  return bytesToHex(crypto.getRandomValues(new Uint8Array(32)));
}

export function seatCommitment(table: string, game: number, seat: number, seed: string): string {
  return bytesToHex(sha256(concatBytes(head("karma fair seed", table, game), u8(seat), hexToBytes(seed))));
}

export function serverCommitment(table: string, game: number, secret: string): string {
  return bytesToHex(sha256(concatBytes(head("karma fair secret", table, game), hexToBytes(secret))));
}

/** The options that say which cards a deck has; who checks a deal does not take the server's word for it. */
type DeckRules = Readonly<Record<string, string | number | boolean>>;

/** Deal again: the deck that follows from the server's secret and the seats' seeds. */
export function deal(
  table: string,
  game: number,
  secret: string,
  seeds: readonly string[],
  rules: DeckRules,
): string[] {
  const deck = KINDS.filter((kind) => kind !== "G" || rules["give_cards"]).flatMap((kind) =>
    Array<string>(Number(rules["copies"]) * Number(rules["decks"])).fill(kind),
  );
  const stream = shake256.create().update(
    concatBytes(
      head("karma fair deck", table, game),
      u8(seeds.length),
      hexToBytes(secret),
      ...seeds.map((seed) => hexToBytes(seed)),
    ),
  );
  const next = () => new DataView(stream.xof(4).buffer).getUint32(0);
  for (let index = deck.length - 1; index > 0; index--) {
    const limit = 2 ** 32 - (2 ** 32 % (index + 1));
    let word = next();
    while (word >= limit) word = next();
    const other = word % (index + 1);
    [deck[index], deck[other]] = [deck[other]!, deck[index]!];
  }
  return deck;
}

export interface FairRecord {
  deck: string[];
  rules: DeckRules;
  fair: {
    table: string;
    game: number;
    commitment: string;
    secret: string;
    seats: { commitment: string | null; seed: string; missing: boolean }[];
  };
}

export interface Verdict {
  server: boolean;
  seats: (boolean | null)[];
  deck: boolean;
}

/** Check a record's parts: the server's commitment, each seat's (null: took no part), and the deck. */
export function verify(record: FairRecord, rules: DeckRules): Verdict {
  const { table, game, commitment, secret, seats } = record.fair;
  const again = deal(table, game, secret, seats.map((seat) => seat.seed), rules);
  return {
    server: serverCommitment(table, game, secret) === commitment,
    seats: seats.map((seat, index) =>
      seat.commitment === null || seat.missing
        ? null
        : seatCommitment(table, game, index, seat.seed) === seat.commitment,
    ),
    deck: again.length === record.deck.length && again.every((card, index) => card === record.deck[index]),
  };
}

/** What this browser gave to a deal and was promised for it, so that it can be checked afterwards. */
export interface Part {
  seat: number;
  seed: string;
  promised: string;
}

/** Was the seed that this browser sent for a deal left out of it? */
export function isLeftOut(fair: Fair, seat: number, part: Part | null): boolean {
  return fair.state === "dealt" && part?.seat === seat && fair.seats[seat]?.seed !== part.seed;
}

const key = (table: string, game: number) => `karma.fair.${table}.${game}`;

export function recallPart(table: string, game: number): Part | null {
  try {
    return JSON.parse(localStorage.getItem(key(table, game)) ?? "null") as Part | null;
  } catch {
    return null;
  }
}

/** Keep our part of a deal; the oldest ones go when there are many. */
export function keepPart(table: string, game: number, part: Part): void {
  try {
    const kept = Object.keys(localStorage).filter((name) => name.startsWith("karma.fair."));
    for (const old of kept.slice(0, Math.max(0, kept.length - 50))) localStorage.removeItem(old);
    localStorage.setItem(key(table, game), JSON.stringify(part));
  } catch {
    // Without storage the deal is as fair; only our own part cannot be shown later.
  }
}
