/**
 * A scan over HTTPS from a network scanner returns what the scanner sent, byte for byte, and what sane-airscan reads
 * from it, pixel for pixel.
 */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startDevice } from '@platen/driver-escl/testing';
import sharp from 'sharp';
import t from 'tap';
import { readPicture } from '../sane/testBackend.js';
import { fileOf, type ScanJson } from '../spec/calls.js';
import { start } from '../spec/specTest.js';
import { esclTopology } from '../topology/esclTopology.js';
import { again, airscan, needsAirscan } from './airscan.js';

const MODEL = 'Platen Test Device';
const A4 = ['-l', '0', '-t', '0', '-x', '210', '-y', '297'];

interface Case {
  readonly title: string;
  /** For the feeder; absent: the flatbed. */
  readonly sheets: number;
  readonly parameters: {
    readonly resolution: number;
    readonly colorMode: string;
    readonly pageSize: 'A4';
    readonly duplexMode?: string;
  };
  readonly args: readonly string[];
  readonly pages: number;
}

const cases: readonly Case[] = [
  {
    title: 'flatbed, colour, 100 dpi: the pixels that sane-airscan reads',
    sheets: 0,
    parameters: { resolution: 100, colorMode: 'Color', pageSize: 'A4' },
    args: ['--source', 'Flatbed', '--mode', 'Color', '--resolution', '100', '--batch-count=1'],
    pages: 1,
  },
  {
    title: 'feeder, grey, 75 dpi: the pixels that sane-airscan reads',
    sheets: 3,
    parameters: { resolution: 75, colorMode: 'Grayscale', pageSize: 'A4' },
    args: ['--source', 'ADF', '--mode', 'Gray', '--resolution', '75'],
    pages: 3,
  },
  {
    title: 'duplex, colour, 75 dpi: the pixels that sane-airscan reads',
    sheets: 2,
    parameters: { resolution: 75, colorMode: 'Color', pageSize: 'A4', duplexMode: 'DuplexLongEdge' },
    args: ['--source', 'ADF Duplex', '--mode', 'Color', '--resolution', '75'],
    pages: 4,
  },
];

/** A picture that is hard to compress. */
function noisy(): Promise<Buffer> {
  const noise = { type: 'gaussian', mean: 128, sigma: 50 } as const;
  return sharp({ create: { width: 413, height: 585, channels: 3, background: '#000', noise } })
    .blur(0.8)
    .withDensity(50)
    .png()
    .toBuffer();
}

if (needsAirscan(t)) {
  t.test('eSCL: service over HTTPS, exact pixels', async t => {
    const folder = await mkdtemp(join(tmpdir(), 'platen-escl-'));
    const device = await startDevice({ model: MODEL });
    const lossless = await startDevice({ model: `${MODEL} of PNG`, formats: ['image/jpeg', 'image/png'] });
    t.teardown(async () => {
      await Promise.all([device.close(), lossless.close()]);
      await rm(folder, { recursive: true, force: true });
    });
    const client = await airscan(folder, device.url);
    const plugins = [
      { use: '@platen/driver-escl', options: { devices: [device.url, lossless.url], discovery: false } },
      { use: '@platen/format-png' },
      { use: '@platen/format-jpeg' },
    ];
    const fixture = await start(t, esclTopology, { config: { plugins } });
    const stack = await Promise.all(
      Array.from({ length: 3 }, async () => ({ front: await noisy(), back: await noisy() })),
    );
    await device.lay(await noisy());

    async function pages(parameters: object): Promise<Buffer[]> {
      const { status, json } = await fixture.request('POST', '/api/twain/scan', {
        body: { scannerName: MODEL, parameters },
      });
      const { images, message } = json as ScanJson;
      if (status !== 200) throw new Error(`${status}: ${message}`);
      return images.map(fileOf);
    }

    await t.test('eSCL: PNG requested and offered by the scanner, passed through byte for byte', async t => {
      for (const [imageFormat, mimeType] of [
        ['Png', 'image/png'],
        ['Jpeg', 'image/jpeg'],
      ] as const) {
        await lossless.insert(stack.slice(0, 1));
        const { json } = await fixture.request('POST', '/api/twain/scan', {
          body: {
            scannerName: `${MODEL} of PNG`,
            parameters: { resolution: 75, colorMode: 'Color', pageSize: 'A4', imageFormat },
          },
        });
        t.match(json, { images: [{ mimeType }] });
        await lossless.insert(stack.slice(0, 1));
        t.ok(fileOf((json as ScanJson).images[0]!).equals((await again(lossless))[0]!));
        t.match(lossless.requests.findLast(({ method }) => method === 'POST')?.body, new RegExp(`>${mimeType}<`));
      }
    });

    for (const { title, sheets, parameters, args, pages: expected } of cases) {
      await t.test(title, async t => {
        const load = () => device.insert(stack.slice(0, sheets));
        await load();
        const jpegs = await pages({ ...parameters, imageFormat: 'Jpeg' });
        await load();
        const sent = await again(device);
        t.same([jpegs.length, sent.length], [expected, expected]);
        t.ok(
          jpegs.every((jpeg, at) => jpeg.equals(sent[at]!)),
          'the device’s JPEG, byte for byte',
        );

        await load();
        const pngs = await pages({ ...parameters, imageFormat: 'Png' });
        await load();
        const theirs = await client.scan([...args, ...A4]);
        t.same([pngs.length, theirs.pages.length], [expected, expected], theirs.stderr);
        for (const [at, png] of pngs.entries()) {
          const [ours, other] = await Promise.all([readPicture(png), readPicture(theirs.pages[at]!)]);
          t.same(
            [ours.width, ours.height, ours.channels],
            [other.width, other.height, other.channels],
            `page ${at + 1}`,
          );
          t.ok(new Set(ours.samples).size > 100, 'the page is not blank');
          t.ok(ours.samples.equals(other.samples), `the pixels of page ${at + 1}`);
        }
      });
    }
  });
}
