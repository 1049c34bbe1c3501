/** The compressed rows of a PNG file: PDF takes them as they are (ISO 32000-1, 7.4.4.4; ISO/IEC 15948). */
import type { Pixels } from '@platen/core/plugin';
import { crc32 } from 'node:zlib';

export const SIGNATURE = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);
/** Length and type before a chunk's data, and the checksum after them. */
export const CHUNK_HEAD = 8;
const CRC_BYTES = 4;
/** PDF's number for rows that each name their filter. */
const PNG_PREDICTOR = 15;

/** Entries of the image's dictionary. */
export function pngEntries(width: number, pixels: Exclude<Pixels, 'bw1'>): string {
  const [space, colours] = pixels === 'gray8' ? ['DeviceGray', 1] : ['DeviceRGB', 3];
  return (
    `/ColorSpace /${space} /BitsPerComponent 8 /Filter /FlateDecode ` +
    `/DecodeParms << /Predictor ${PNG_PREDICTOR} /Colors ${colours} /BitsPerComponent 8 /Columns ${width} >>`
  );
}

/**
 * The data of the IDAT chunks, each slice as soon as it is there: it is part of the file's.
 * @param file its slices
 * @throws PngFault after the last slice unless the file is whole
 */
export async function* idat(file: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array, void> {
  /** What is being collected: the signature, a chunk's head or its checksum. */
  let held = Buffer.alloc(0);
  let state: 'signature' | 'head' | 'data' | 'crc' | 'end' = 'signature';
  let [type, left, crc] = ['', 0, 0];
  const needed = { signature: SIGNATURE.length, head: CHUNK_HEAD, data: 0, crc: CRC_BYTES } as const;
  for await (const slice of file) {
    // What devices write behind the end, readers ignore.
    for (let at = 0; at < slice.length && state !== 'end';) {
      if (state === 'data') {
        const piece = slice.subarray(at, at + left);
        at += piece.length;
        left -= piece.length;
        crc = crc32(piece, crc);
        if (left === 0) state = 'crc';
        if (type === 'IDAT') yield piece;
        continue;
      }
      const more = slice.subarray(at, at + needed[state] - held.length);
      at += more.length;
      held = Buffer.concat([held, more]);
      if (held.length < needed[state]) continue;
      if (state === 'signature') {
        if (!held.equals(SIGNATURE)) throw new PngFault('it does not begin like a PNG');
        state = 'head';
      } else if (state === 'head') {
        [type, left, crc] = [held.toString('latin1', 4), held.readUInt32BE(0), crc32(held.subarray(4))];
        state = left > 0 ? 'data' : 'crc';
      } else {
        if (held.readUInt32BE(0) !== crc) throw new PngFault(`the checksum of its ${type} is wrong`);
        state = type === 'IEND' ? 'end' : 'head';
      }
      held = Buffer.alloc(0);
    }
  }
  if (state !== 'end') throw new PngFault('it ends too early');
}

/** Why a file is no whole PNG, to follow "is damaged: ". */
export class PngFault extends Error {}
