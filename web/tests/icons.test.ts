import { inflateSync } from "node:zlib";
import { expect, it } from "vitest";
import { png } from "../icons";

const RED = "#ff0000";

/** The colour of a pixel in a picture of ours. */
function pixel(picture: Buffer, size: number, x: number, y: number): number[] {
  const from = picture.indexOf("IDAT");
  const rows = inflateSync(picture.subarray(from + 4, from + 4 + picture.readUInt32BE(from - 4)));
  return [...rows.subarray(y * (size * 4 + 1) + 1 + x * 4).subarray(0, 4)];
}

it("an icon becomes a PNG of its size, with round corners, rings and arcs", () => {
  const svg = `<svg viewBox="0 0 64 64"><rect width="64" height="64" rx="15" fill="#112233"/>
    <circle cx="32" cy="32" r="10" stroke="#00ff00" stroke-width="4"/>
    <path d="M32 12a20 20 0 0 1 20 20" stroke="${RED}" stroke-width="4"/></svg>`;
  const picture = png(svg, 64);
  expect(picture.subarray(1, 4).toString()).toBe("PNG");
  expect([picture.readUInt32BE(16), picture.readUInt32BE(20)]).toEqual([64, 64]);
  expect(pixel(picture, 64, 0, 0)[3]).toBe(0);
  expect(pixel(picture, 64, 32, 32)).toEqual([0x11, 0x22, 0x33, 255]);
  expect(pixel(picture, 64, 42, 32)).toEqual([0, 255, 0, 255]);
  expect(pixel(picture, 64, 46, 17)).toEqual([255, 0, 0, 255]);
  expect(pixel(picture, 64, 17, 17)).toEqual([0x11, 0x22, 0x33, 255]);
});
