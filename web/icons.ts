/**
 * PNG copies of the icons, for systems that install no SVG ones; drawn from the SVG files themselves.
 *
 * It understands what our icons use: a background, circles, and strokes of lines and arcs with round ends.
 */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { crc32, deflateSync } from "node:zlib";
import type { Plugin } from "vite";

type Point = [x: number, y: number];
type Shape = { colour: number[]; inside: (x: number, y: number) => number };

const WANTED: [file: string, from: string, size: number][] = [
  ["icon-180.png", "icon-maskable.svg", 180],
  ["icon-192.png", "icon.svg", 192],
  ["icon-512.png", "icon.svg", 512],
  ["icon-maskable-512.png", "icon-maskable.svg", 512],
];

/** An arc of SVG's (equal radii, no rotation) as a row of points. */
function arc([x0, y0]: Point, radius: number, large: boolean, sweep: boolean, [x1, y1]: Point): Point[] {
  const dx = (x1 - x0) / 2;
  const dy = (y1 - y0) / 2;
  const half = Math.hypot(dx, dy);
  const rise = Math.sqrt(Math.max(0, radius ** 2 - half ** 2)) / half;
  const side = large === sweep ? -rise : rise;
  const [cx, cy] = [x0 + dx - side * dy, y0 + dy + side * dx];
  const from = Math.atan2(y0 - cy, x0 - cx);
  let turn = Math.atan2(y1 - cy, x1 - cx) - from;
  if (sweep && turn < 0) turn += 2 * Math.PI;
  if (!sweep && turn > 0) turn -= 2 * Math.PI;
  return Array.from({ length: 65 }, (_, step): Point => {
    const angle = from + (turn * step) / 64;
    return [cx + radius * Math.cos(angle), cy + radius * Math.sin(angle)];
  });
}

/** The points of a path of M, l, a and absolute pairs after them. */
function points(path: string): Point[] {
  const found: Point[] = [];
  for (const [, command, rest] of path.matchAll(/([Mla])([^Mla]*)/g)) {
    const numbers = (rest!.match(/-?\d*\.?\d+/g) ?? []).map(Number);
    const [x, y] = found.at(-1) ?? [0, 0];
    if (command === "a") {
      const [radius, , , large, sweep, dx, dy] = numbers as [number, number, number, number, number, number, number];
      found.push(...arc([x, y], radius, large === 1, sweep === 1, [x + dx, y + dy]));
    } else
      for (let index = 0; index + 1 < numbers.length; index += 2) {
        const [a, b] = [numbers[index]!, numbers[index + 1]!];
        const [px, py] = found.at(-1) ?? [0, 0];
        found.push(command === "l" ? [px + a, py + b] : [a, b]);
      }
  }
  return found;
}

function toSegment(x: number, y: number, [ax, ay]: Point, [bx, by]: Point): number {
  const [dx, dy] = [bx - ax, by - ay];
  const along = Math.max(0, Math.min(1, ((x - ax) * dx + (y - ay) * dy) / (dx * dx + dy * dy || 1)));
  return Math.hypot(x - ax - along * dx, y - ay - along * dy);
}

/** Everything an icon draws, each as a distance: negative inside. */
function shapes(svg: string): Shape[] {
  const move = /translate\((\S+) (\S+)\) scale\((\S+)\)/.exec(svg);
  const [left, top, scale] = move ? move.slice(1).map(Number) as [number, number, number] : [0, 0, 1];
  const colour = (text: string) => [1, 3, 5].map((at) => parseInt(text.slice(at, at + 2), 16));
  return [...svg.matchAll(/<(rect|circle|path) ([^>]*)\/>/g)].map(([, tag, text]): Shape => {
    const value = (name: string) => new RegExp(`(?:^|\\s)${name}="([^"]*)"`).exec(text!)?.[1] ?? "";
    const number = (name: string) => Number(value(name) || 0);
    if (tag === "rect") {
      const [half, round] = [number("width") / 2, number("rx")];
      const inside = (x: number, y: number) => {
        const [dx, dy] = [Math.abs(x - half) - half + round, Math.abs(y - half) - half + round];
        return Math.hypot(Math.max(dx, 0), Math.max(dy, 0)) + Math.min(Math.max(dx, dy), 0) - round;
      };
      return { colour: colour(value("fill")), inside };
    }
    const thick = number("stroke-width") / 2;
    const line = tag === "path" ? points(value("d")) : [];
    const far = (x: number, y: number) =>
      tag === "circle"
        ? Math.abs(Math.hypot(x - number("cx"), y - number("cy")) - number("r"))
        : Math.min(...line.slice(1).map((point, index) => toSegment(x, y, line[index]!, point)));
    const inside = (x: number, y: number) => (far((x - left) / scale, (y - top) / scale) - thick) * scale;
    return { colour: colour(value("stroke")), inside };
  });
}

function chunk(type: string, data: Buffer): Buffer {
  const body = Buffer.concat([Buffer.from(type, "latin1"), data]);
  const frame = Buffer.alloc(8);
  frame.writeUInt32BE(data.length, 0);
  frame.writeUInt32BE(crc32(body), 4);
  return Buffer.concat([frame.subarray(0, 4), body, frame.subarray(4)]);
}

/** An icon as a PNG of that many pixels each way. */
export function png(svg: string, size: number): Buffer {
  const drawn = shapes(svg);
  const unit = 64 / size;
  const rows = Buffer.alloc(size * (size * 4 + 1));
  for (let row = 0; row < size; row++)
    for (let column = 0; column < size; column++) {
      let [red, green, blue, alpha] = [0, 0, 0, 0];
      for (const { colour, inside } of drawn) {
        const cover = Math.max(0, Math.min(1, 0.5 - inside((column + 0.5) * unit, (row + 0.5) * unit) / unit));
        if (cover === 0) continue;
        const whole = cover + alpha * (1 - cover);
        const mix = (under: number, over: number) => (over * cover + under * alpha * (1 - cover)) / whole;
        [red, green, blue, alpha] = [mix(red, colour[0]!), mix(green, colour[1]!), mix(blue, colour[2]!), whole];
      }
      rows.set([red, green, blue, alpha * 255].map(Math.round), row * (size * 4 + 1) + 1 + column * 4);
    }
  const header = Buffer.alloc(13);
  header.writeUInt32BE(size, 0);
  header.writeUInt32BE(size, 4);
  header.set([8, 6, 0, 0, 0], 8);
  return Buffer.concat([
    Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]),
    chunk("IHDR", header),
    chunk("IDAT", deflateSync(rows, { level: 9 })),
    chunk("IEND", Buffer.alloc(0)),
  ]);
}

export function pngIcons(): Plugin {
  return {
    name: "png-icons",
    apply: "build",
    generateBundle() {
      for (const [fileName, from, size] of WANTED) {
        const svg = readFileSync(join(import.meta.dirname, "public", from), "utf8");
        this.emitFile({ type: "asset", fileName, source: png(svg, size) });
      }
    },
  };
}
