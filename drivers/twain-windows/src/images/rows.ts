/**
 * Rows of a source's samples: collected from pieces, and converted to Platen's pixels: red first, zero is black, and in
 * 1-bit pixels a set bit is black.
 *
 * These loops run on the event loop, a band at a time: a page comes in frames of at most 1 MiB, each of which is read
 * in its own event loop turn and takes about a millisecond. All other work of the process runs between them. A worker would
 * cost more than it saves, because the pages would have to be sent to it and back.
 */
import { rowBytes, type Pixels } from '@platen/core/plugin';

/** Takes bytes in pieces of any length. */
export interface RowReader {
  push(piece: Uint8Array): void;
  /** The last row may lack its padding. @returns whether no incomplete row remained */
  end(): boolean;
}

/** @param least bytes of a row without its padding @param onRow gets each whole row, which is valid until the next */
export function createRowReader(bytesPerRow: number, least: number, onRow: (row: Uint8Array) => void): RowReader {
  const carry = new Uint8Array(bytesPerRow);
  let carried = 0;
  return {
    push(piece) {
      let at = 0;
      if (carried > 0) {
        at = Math.min(bytesPerRow - carried, piece.length);
        carry.set(piece.subarray(0, at), carried);
        carried += at;
        if (carried < bytesPerRow) return;
        carried = 0;
        onRow(carry);
      }
      for (; at + bytesPerRow <= piece.length; at += bytesPerRow) onRow(piece.subarray(at, at + bytesPerRow));
      carry.set(piece.subarray(at));
      carried = piece.length - at;
    },
    end() {
      const left = carried;
      carried = 0;
      if (left >= least) onRow(carry.subarray(0, left));
      return left === 0 || left >= least;
    },
  };
}

export type Colour = readonly [red: number, green: number, blue: number];

export interface Samples {
  readonly pixels: Pixels;
  /** Bytes of a source's row without padding. */
  readonly least: number;
  /** Writes one row. */
  write(row: Uint8Array, target: Uint8Array, at: number): void;
}

const isGrey = ([red, green, blue]: Colour) => red === green && green === blue;
const reversed = Uint8Array.from({ length: 256 }, (_, byte) =>
  [0, 1, 2, 3, 4, 5, 6, 7].reduce((sum, bit) => sum | (((byte >> bit) & 1) << (7 - bit)), 0),
);

/** @param blackIsZero chocolate */
export function bilevel(width: number, blackIsZero: boolean, lowestFirst = false): Samples {
  const least = rowBytes('bw1', width);
  const flip = blackIsZero ? 0xff : 0;
  // Bits after the last pixel of a row are white, not black.
  const last = width % 8 === 0 ? 0xff : (0xff << (8 - (width % 8))) & 0xff;
  return {
    pixels: 'bw1',
    least,
    write(row, target, at) {
      if (flip === 0 && !lowestFirst) target.set(row.subarray(0, least), at);
      else for (let i = 0; i < least; i++) target[at + i] = (lowestFirst ? reversed[row[i]!]! : row[i]!) ^ flip;
      target[at + least - 1]! &= last;
    },
  };
}

/** @param bytes per sample; of two, the higher one comes last and is kept */
export function grey(width: number, blackIsZero: boolean, bytes: 1 | 2 = 1): Samples {
  const flip = blackIsZero ? 0 : 0xff;
  return {
    pixels: 'gray8',
    least: width * bytes,
    write(row, target, at) {
      if (flip === 0 && bytes === 1) target.set(row.subarray(0, width), at);
      else for (let x = 0, from = bytes - 1; x < width; x++, from += bytes) target[at + x] = row[from]! ^ flip;
    },
  };
}

/** @param order offsets of red, green and blue in a pixel of `step` bytes */
export function colour(width: number, [red, green, blue]: Colour, step: number): Samples {
  const isPacked = red === 0 && green === 1 && blue === 2 && step === 3;
  return {
    pixels: 'rgb24',
    least: width * step,
    write(row, target, at) {
      if (isPacked) return target.set(row.subarray(0, width * 3), at);
      for (let x = 0, from = 0, to = at; x < width; x++, from += step, to += 3) {
        target[to] = row[from + red]!;
        target[to + 1] = row[from + green]!;
        target[to + 2] = row[from + blue]!;
      }
    },
  };
}

/** Pixels that are palette indices: grey if all colours are grey, 1-bit if they are black and white. */
export function indexed(width: number, bits: 1 | 4 | 8, palette: readonly Colour[]): Samples {
  const all = Array.from({ length: 1 << bits }, (_, i): Colour => palette[i] ?? [0, 0, 0]);
  if (bits === 1 && all.every(isGrey) && Math.abs(all[0]![0] - all[1]![0]) === 255)
    return bilevel(width, all[0]![0] === 0);
  if (bits === 8 && all.every((each, i) => each[0] === i && isGrey(each))) return grey(width, true);
  const least = Math.ceil((width * bits) / 8);
  const perByte = 8 / bits;
  const mask = (1 << bits) - 1;
  const place = (row: Uint8Array, x: number) =>
    bits === 8 ? row[x]! : (row[Math.floor(x / perByte)]! >> (8 - bits - bits * (x % perByte))) & mask;
  if (all.every(isGrey)) {
    const greys = Uint8Array.from(all, ([value]) => value);
    return {
      pixels: 'gray8',
      least,
      write(row, target, at) {
        for (let x = 0; x < width; x++) target[at + x] = greys[place(row, x)]!;
      },
    };
  }
  const colours = Uint8Array.from(all.flat());
  return {
    pixels: 'rgb24',
    least,
    write(row, target, at) {
      for (let x = 0, to = at; x < width; x++, to += 3)
        target.set(colours.subarray(place(row, x) * 3, place(row, x) * 3 + 3), to);
    },
  };
}
