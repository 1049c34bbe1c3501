/** Turned pixels as a PNG file. Runs in a thread. */
import { crc32, deflateSync } from 'node:zlib';
import type { Turn } from '@platen/core/plugin';
import type { Rows } from './threads.js';

/** Bit depth and colour type. */
const types = { gray8: [8, 0], rgb24: [8, 2], bw1: [1, 0] } as const;
const SIGNATURE = Buffer.from('\x89PNG\r\n\x1a\n', 'latin1');
const METRES_PER_INCH = 0.0254;

/** @param turn degrees clockwise */
export function turnedPng(rows: Rows, turn: Turn): Uint8Array<ArrayBuffer> {
  const [across, down] = turn % 180 === 0 ? [rows.width, rows.height] : [rows.height, rows.width];
  const [header, density] = [Buffer.alloc(13), Buffer.alloc(9)];
  header.writeUInt32BE(across, 0);
  header.writeUInt32BE(down, 4);
  header.set(types[rows.pixels], 8);
  const perMetre = Math.round(rows.dpi / METRES_PER_INCH);
  density.writeUInt32BE(perMetre, 0);
  density.writeUInt32BE(perMetre, 4);
  density[8] = 1;
  const data = deflateSync(turned(rows, turn, across, down));
  const chunks = [chunk('IHDR', header), chunk('pHYs', density), chunk('IDAT', data), chunk('IEND', Buffer.alloc(0))];
  return new Uint8Array(Buffer.concat([SIGNATURE, ...chunks]));
}

/** Rows as PNG wants them: each after its filter, none. */
function turned({ pixels, width, height, data }: Rows, turn: Turn, across: number, down: number): Uint8Array {
  const bytes = pixels === 'rgb24' ? 3 : 1;
  const given = pixels === 'bw1' ? Math.ceil(width / 8) : width * bytes;
  const row = 1 + (pixels === 'bw1' ? Math.ceil(across / 8) : across * bytes);
  const made = new Uint8Array(row * down);
  for (let y = 0; y < down; y++) {
    for (let x = 0; x < across; x++) {
      const [fromX, fromY] = origin(turn, x, y, width, height);
      if (pixels === 'bw1') {
        // White is 1 in a PNG, and 0 in a page.
        const isWhite = (data[fromY * given + (fromX >> 3)]! & (0x80 >> (fromX & 7))) === 0;
        if (isWhite) made[y * row + 1 + (x >> 3)]! |= 0x80 >> (x & 7);
      } else
        for (let i = 0; i < bytes; i++) made[y * row + 1 + x * bytes + i] = data[fromY * given + fromX * bytes + i]!;
    }
  }
  return made;
}

function origin(turn: Turn, x: number, y: number, width: number, height: number): readonly [number, number] {
  if (turn === 0) return [x, y];
  if (turn === 90) return [y, height - 1 - x];
  return turn === 180 ? [width - 1 - x, height - 1 - y] : [width - 1 - y, x];
}

function chunk(name: string, data: Uint8Array): Buffer {
  const body = Buffer.concat([Buffer.from(name, 'latin1'), data]);
  const [length, check] = [Buffer.alloc(4), Buffer.alloc(4)];
  length.writeUInt32BE(data.length);
  check.writeUInt32BE(crc32(body));
  return Buffer.concat([length, body, check]);
}
