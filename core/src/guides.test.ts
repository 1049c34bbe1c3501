/** The example driver, format, document format and meter of the vendors' guides fulfil every promise, exactly as printed. */
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { inflateSync } from 'node:zlib';
import {
  documentContract,
  driverContract,
  formatContract,
  type WrittenDocument,
  type WrittenFacts,
  type WrittenPage,
} from '@platen/conformance';
import t from 'tap';
import { turns } from './contract/document.js';
import { rowBytes } from './contract/page.js';
import type { Plugin } from './contract/plugin.js';
import { nullLog } from './log/nullLog.js';

const guide = async (name: string): Promise<string> => readFile(new URL(`../../docs/${name}`, import.meta.url), 'utf8');
const guides = (await guide('write-a-driver.md')) + (await guide('write-a-plugin.md'));
const blocks = [...guides.matchAll(/```js\n([\s\S]*?)```/g)].map(([, code]) => code ?? '');
const [driver = '', format = '', formatTest = '', document = '', documentTest = '', meter = '', meterTest = ''] = [
  "name: '@acme/platen-driver'",
  "name: '@acme/format-png'",
  'formatContract(t',
  "name: '@acme/document-pdf'",
  'documentContract(t',
  "name: '@acme/page-meter'",
  'followerContract(t',
].map(sign => blocks.find(code => code.includes(sign)));
const folder = t.testdir({
  'package.json': '{ "type": "module" }',
  driver: { 'index.js': driver },
  format: { 'index.js': format, 'format.test.js': formatTest },
  document: { 'index.js': document, 'document.test.js': documentTest },
  meter: { 'index.js': meter, 'meter.test.js': meterTest },
});
const load = async (path: string): Promise<unknown> => import(pathToFileURL(join(folder, path)).href);
const contributed = async (path: string) =>
  ((await load(path)) as { default: Plugin }).default.setup({ options: {}, log: nullLog, dataDir: folder });

await driverContract(t, {
  features: { feeder: false, flatbed: true, duplex: false, faults: [] },
  async make() {
    const { drivers: [made] = [] } = await contributed('driver/index.js');
    if (!made) throw new Error('the guide’s plugin brings no driver');
    return { driver: made, deviceId: 'flatbed-1', load: async () => undefined, dispose: () => made.close() };
  },
});

/** Of the dearest cases, for which it does not matter whether a file is read back. */
const own = 'the guide’s own test, below, runs it';

/** Facts from the chunks of a PNG: IHDR first, then pHYs. */
function readBack(bytes: Uint8Array): WrittenFacts {
  const file = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const depth =
    new Map([
      ['8,0', 8],
      ['8,2', 24],
      ['1,3', 1],
    ]).get(file.subarray(24, 26).join()) ?? 0;
  return {
    width: file.readUInt32BE(16),
    height: file.readUInt32BE(20),
    depth,
    dpi: Math.round(file.readUInt32BE(file.indexOf('pHYs') + 4) * 0.0254),
  };
}

await t.test('README: the format example, its file can be read back', async t => {
  const { formats: [made] = [] } = await contributed('format/index.js');
  if (!made) throw new Error('the guide’s plugin brings no format');
  await formatContract(t, {
    make: async () => ({ format: made, readBack }),
    features: { lossy: false, decodes: false, readsBack: true, bilevelDepth: 1, magic: 'PNG' },
    gaps: { 'event-loop-free': own },
  });
});

/** The objects of the guide's PDF: images, then the page that shows each; and the title in hexadecimal digits. */
function readPdf(bytes: Uint8Array): WrittenDocument {
  const file = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const text = file.toString('latin1');
  const objects = (pattern: RegExp) => [...text.matchAll(pattern)];
  const leaves = objects(/\/MediaBox \[0 0 ([\d.]+) ([\d.]+)\] \/Rotate (\d+)/g);
  const head =
    /\/Width (\d+) \/Height (\d+) \/BitsPerComponent (\d) \/ColorSpace \/Device(\w+).*\/Length (\d+) >>\nstream\n/g;
  const pages = objects(head).map(({ index, 0: all, ...found }, i): WrittenPage => {
    const [width, height, bits, length] = [found[1], found[2], found[3], found[5]].map(Number) as [
      number,
      number,
      number,
      number,
    ];
    const [across, down, turned] = leaves[i]!.slice(1).map(Number) as [number, number, number];
    const pixels = bits === 1 ? 'bw1' : found[4] === 'RGB' ? 'rgb24' : 'gray8';
    const start = index + all.length;
    const dpi = Math.round((width * 72) / across);
    t.equal(Math.round((height * 72) / down), dpi, 'the same resolution in both directions');
    return {
      width,
      height,
      dpi,
      turn: turns.find(turn => turn === turned)!,
      pixels: () => ({
        width,
        height,
        pixels,
        stride: rowBytes(pixels, width),
        data: inflateSync(file.subarray(start, start + length)),
      }),
    };
  });
  const digits = /\/Title <feff([0-9a-f]*)>/.exec(text)?.[1] ?? '';
  return { pages, title: Buffer.from(digits, 'hex').swap16().toString('utf16le') };
}

await t.test('README: the document format example, its document can be read back', async t => {
  const { documents: [made] = [] } = await contributed('document/index.js');
  if (!made) throw new Error('the guide’s plugin brings no document format');
  await documentContract(t, {
    make: async () => ({ format: made, readBack: readPdf }),
    features: { pixels: true, lossy: false, text: false, title: true },
    gaps: { 'event-loop-free': own, 'memory-bounded': own },
  });
});

// Runs the guide's own tests unchanged.
await load('format/format.test.js');
await load('document/document.test.js');
await load('meter/meter.test.js');
