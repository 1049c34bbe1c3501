/** netpbm files read by hand, for the tests. */
import type { RawPage } from '@platen/core/plugin';
import { testPage } from '@platen/core/testing';

export function readNetpbm(file: Uint8Array): { magic: string; width: number; height: number; rows: Uint8Array } {
  const head = /^(P[45])\n(\d+) (\d+)\n(?:255\n)?/.exec(Buffer.from(file.subarray(0, 40)).toString('latin1'));
  if (!head || (head[1] === 'P5') !== head[0].endsWith('\n255\n')) throw new Error('neither a PGM nor a PBM file');
  return { magic: head[1] ?? '', width: Number(head[2]), height: Number(head[3]), rows: file.subarray(head[0].length) };
}

/** Grey, all white. */
export function whitePage(width: number, height: number): RawPage {
  return { ...testPage({ width: 1, height: 1, pixels: 'gray8' }), width, height, stride: width, data: new Uint8Array(width * height).fill(255) };
}
