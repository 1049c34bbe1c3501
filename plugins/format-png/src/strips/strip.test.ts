/** A strip alone: its stream is what zlib reads, its sum is zlib's; and the code in WebAssembly is what its source makes. */
import { lacking } from '@platen/conformance';
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { deflateSync, inflateRawSync } from 'node:zlib';
import t from 'tap';
import { kinds, numbers, pageOf } from './pages.test.kit.js';
import { createStripCoder, joinedAdler } from './strip.js';

const adlerOf = (bytes: Uint8Array): number => deflateSync(bytes).subarray(-4).readUInt32BE();
const END = Buffer.from([1, 0, 0, 0xff, 0xff]);

t.test('adler: of two parts, that of both', async t => {
  const random = numbers(3);
  for (const [first, second] of [
    [0, 0],
    [0, 9],
    [9, 0],
    [1, 65521],
    [70_000, 65522],
    [123_456, 200_001],
  ] as const) {
    const all = Uint8Array.from({ length: first + second }, () => Math.floor(random() * 256));
    const joined = joinedAdler(adlerOf(all.subarray(0, first)), adlerOf(all.subarray(first)), second);
    t.equal(joined, adlerOf(all), `${first} and ${second} bytes`);
  }
});

t.test('strip: zlib reads its bytes, as many as it says, and with its sum', async t => {
  const code = createStripCoder();
  for (const [name, pixel] of Object.entries(kinds)) {
    const { data } = pageOf('rgb24', 500, 300, pixel);
    const rows = new Uint8Array(1500 + data.length);
    rows.set(data, 1500);
    const { chunk, adler, length } = code({ rows, rowBytes: 1500, pixelBytes: 3 });
    const bytes = inflateRawSync(Buffer.concat([chunk.subarray(8, -4), END]));
    t.equal(bytes.length, 300 * 1501, name);
    t.equal(bytes.length, length);
    t.equal(adlerOf(bytes), adler);
  }
});

const build = fileURLToPath(new URL('../../encoder/build.mjs', import.meta.url));
t.test('deflate.wasm is what deflate.c makes', { skip: lacking('clang-14') || lacking('wasm-ld-14') }, async t => {
  const made = join(t.testdir(), 'made.wasm');
  execFileSync(process.execPath, [build, made]);
  t.ok(readFileSync(made).equals(readFileSync(new URL('../../encoder/deflate.wasm', import.meta.url))));
});
