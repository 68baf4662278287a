/** The icon as PNG, for phones that install the page: drawn from distances, so that no image library is needed. */

import { deflateSync } from "node:zlib";

/** As in src/icon.svg: an ivory die on the cloth, with the large red one of Asian tables. */
const GROUND = [11, 80, 54];
const IVORY = [246, 238, 219];
const RED = [179, 18, 31];

/** Distance from the edge of a rounded square around the middle; inside it is negative. */
function roundedSquare(x, y, half, radius) {
  const [dx, dy] = [Math.abs(x - 0.5) - half + radius, Math.abs(y - 0.5) - half + radius];
  return Math.hypot(Math.max(dx, 0), Math.max(dy, 0)) + Math.min(Math.max(dx, dy), 0) - radius;
}

const mix = (under, over, share) => under.map((value, place) => value + (over[place] - value) * share);

/** A square PNG; what is drawn keeps to the inner four fifths, which every phone's mask leaves. */
export function icon(size) {
  const share = (distance) => Math.max(0, Math.min(1, 0.5 - distance * size));
  const rows = Buffer.alloc(size * (1 + 3 * size));
  for (let y = 0; y < size; y += 1) {
    for (let x = 0; x < size; x += 1) {
      const [u, v] = [(x + 0.5) / size, (y + 0.5) / size];
      const die = mix(GROUND, IVORY, share(roundedSquare(u, v, 0.29, 0.07)));
      const colour = mix(die, RED, share(Math.hypot(u - 0.5, v - 0.5) - 0.12));
      rows.set(colour.map(Math.round), y * (1 + 3 * size) + 1 + 3 * x);
    }
  }
  const head = Buffer.alloc(13);
  head.writeUInt32BE(size, 0);
  head.writeUInt32BE(size, 4);
  head.set([8, 2, 0, 0, 0], 8); // eight bits, red green blue
  return Buffer.concat([
    Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]),
    piece("IHDR", head),
    piece("IDAT", deflateSync(rows, { level: 9 })),
    piece("IEND", Buffer.alloc(0)),
  ]);
}

/** The check sum of a PNG's pieces; Node has its own only since 22. */
function crc32(bytes) {
  let sum = ~0;
  for (const byte of bytes) {
    sum ^= byte;
    for (let bit = 0; bit < 8; bit += 1) sum = (sum >>> 1) ^ (sum & 1 ? 0xedb88320 : 0);
  }
  return ~sum >>> 0;
}

function piece(name, data) {
  const named = Buffer.concat([Buffer.from(name, "latin1"), data]);
  const [length, check] = [Buffer.alloc(4), Buffer.alloc(4)];
  length.writeUInt32BE(data.length);
  check.writeUInt32BE(crc32(named));
  return Buffer.concat([length, named, check]);
}
