/**
 * A vendor's driver that breaks its promises, in the service, isolated and in the desktop application: the answer is
 * driver-failed, and no other scanner or page is affected.
 */
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import sharp, { type Sharp } from 'sharp';
import t, { type Test } from 'tap';
import { fileOf, get, pause, type ScanJson, type Typed, until } from '../spec/calls.js';
import { start } from '../spec/specTest.js';
import { desktopPlugin } from '../topology/desktopHost.js';
import { desktopApp } from '../topology/desktopTopology.js';
import { topologyOf } from '../topology/fixture.js';
import type { Fixture } from '../topology/topology.js';
import { virtualScanners } from '../topology/virtualTopology.js';

const lying = fileURLToPath(new URL('../../plugins/fixtures/lying-driver/', import.meta.url));
const flatbed = 'Honest flatbed';
const end = Buffer.from([0xff, 0xd9]);

/** Pages of 100 by 150 pixels in colour, by file name. */
async function drawn(): Promise<Record<string, Buffer>> {
  const grain = Buffer.from(Uint8Array.from({ length: 100 * 150 * 3 }, (_, i) => Math.imul(i, 2654435761) >>> 24));
  const image = (): Sharp => sharp(grain, { raw: { width: 100, height: 150, channels: 3 } });
  const jpeg = await image().jpeg({ quality: 90 }).toBuffer();
  const png = await image().png().toBuffer();
  const data = jpeg.indexOf(Buffer.from([0xff, 0xda])) + 14;
  const progressive = await image().jpeg({ progressive: true }).toBuffer();
  return {
    'whole.jpg': jpeg,
    'whole.png': png,
    'progressive.jpg': progressive,
    'start.jpg': jpeg.subarray(0, 8),
    'cut.jpg': jpeg.subarray(0, -2),
    'half.jpg': Buffer.concat([jpeg.subarray(0, (data + jpeg.length) >> 1), end]),
    'garbage.jpg': Buffer.concat([jpeg.subarray(0, data), Buffer.alloc(jpeg.length - data - 2, 'garbage'), end]),
    'zeroes.jpg': Buffer.concat([
      jpeg.subarray(0, (data + jpeg.length) >> 1),
      Buffer.alloc((jpeg.length - data) >> 1),
      end,
    ]),
    'other.jpg': await sharp(grain, { raw: { width: 150, height: 100, channels: 3 } })
      .jpeg()
      .toBuffer(),
    'grey.jpg': await image().toColourspace('b-w').jpeg().toBuffer(),
    'cut.png': png.subarray(0, png.length >> 1),
    'half-progressive.jpg': progressive.subarray(0, progressive.length >> 1),
  };
}

/** The second page, and how the scan ends; the first page is in every answer. */
const lies: readonly [name: string, status: string][] = [
  ['short', 'DriverFailed'],
  ['stride', 'DriverFailed'],
  ['large', 'Unsupported'],
  ['nothing', 'DriverFailed'],
  ['start.jpg', 'DriverFailed'],
  ['cut.jpg', 'DriverFailed'],
  ['half.jpg', 'DriverFailed'],
  ['garbage.jpg', 'DriverFailed'],
  ['zeroes.jpg', 'DriverFailed'],
  ['other.jpg', 'DriverFailed'],
  ['grey.jpg', 'DriverFailed'],
  ['cut.png', 'DriverFailed'],
  ['half-progressive.jpg', 'DriverFailed'],
];

const formats = ['@platen/format-png', '@platen/format-jpeg'];

async function scan(fixture: Fixture, scannerName: string, parameters: object = {}): Promise<Typed<ScanJson>> {
  return (await fixture.request('POST', '/api/twain/scan', {
    body: { scannerName, parameters: { colorMode: 'Color', ...parameters } },
  })) as Typed<ScanJson>;
}

type Where = 'the service' | 'a separate process' | 'the desktop application';

async function startWith(
  t: Test,
  where: Where,
  folder: string,
  files: readonly string[],
  uses = formats,
): Promise<Fixture> {
  const drivers = [
    { use: '@platen/driver-virtual', options: { scanners: [{ name: flatbed, feeder: false, flatbed: true }] } },
    { use: lying, isolate: where === 'a separate process', options: { folder, files } },
  ];
  const away = where === 'the desktop application';
  const topology = topologyOf({ name: `lying in ${where}`, roles: [], faults: [] }, () => ({
    ...virtualScanners(),
    plugins: () => (away ? [desktopPlugin] : drivers),
    ...(away && { desktop: (dataDir: string) => desktopApp(dataDir, drivers) }),
  }));
  const plugins = [...(away ? [desktopPlugin] : drivers), ...uses.map(use => ({ use }))];
  return start(t, topology, { config: { plugins, memory: { maxPixels: 1_000_000 } } });
}

/** By the driver's name in the service, and the lie. */
const firstErrors: Record<string, unknown> = {};

for (const where of ['the service', 'a separate process', 'the desktop application'] as const) {
  void t.test(`lying driver in ${where}`, async t => {
    const folder = await mkdtemp(join(tmpdir(), 'platen-lies-'));
    t.teardown(() => rm(folder, { recursive: true, force: true }));
    const files = await drawn();
    for (const [name, bytes] of Object.entries(files)) await writeFile(join(folder, name), bytes);
    const fixture = await startWith(t, where, folder, Object.keys(files));

    await t.test('devices: invalid ones are skipped and logged once, all others are listed', async t => {
      for (let times = 0; times < 2; times++) {
        // A younger listing is reused.
        if (times > 0) await pause(1100);
        const names: string[] = [];
        // A list waits for drivers for a moment only; it is the last one that this driver lists.
        await until(async () => {
          const { status, json } = await get<{ scanners: { name: string }[] }>(fixture, '/api/twain/scanners');
          t.equal(status, 200);
          names.splice(0, Infinity, ...json.scanners.map(({ name }) => name));
          return names.some(name => name.startsWith('Long'));
        });
        for (const name of [flatbed, 'whole', ...Object.keys(files)]) t.ok(names.includes(name), name);
        t.notOk(names.includes('nameless'));
        const long = names.find(name => name.startsWith('Long'));
        t.equal(long?.length, 256);
        t.notMatch(long, /\p{Cc}/u);
      }
      const told = (fixture.desktop ?? fixture)
        .log()
        .split('\n')
        .filter(line => line.includes('nameless'));
      t.equal(told.length, 1);
      t.match(told[0], /driver lying.*name/);
    });

    await t.test('pages: an invalid page, driver-failed with the pages before it', async t => {
      for (const [name, ends] of lies) {
        const imageFormats = name.includes('.') ? ['Jpeg', 'Png'] : ['Png'];
        for (const imageFormat of imageFormats) {
          const { status, json } = await scan(fixture, name, { imageFormat });
          const what = `${name} as ${imageFormat}`;
          t.match(json, { status: ends, success: false, imageCount: 1 }, what);
          t.equal(status, 500, what);
          // The desktop application's own checks do not see this; the service reports its driver.
          const [, driver] = /^The driver (lying|desktop) /.exec(json.error ?? '') ?? [];
          t.ok(
            driver === 'lying' || (driver === 'desktop' && where === 'the desktop application'),
            `${what}: ${json.error}`,
          );
          t.notMatch(json.error, /\n|Vips|undefined/, what);
          const once = (firstErrors[`${driver}: ${what}`] ??= json.error);
          t.equal(json.error, once, `${what}: the same message wherever it runs`);
        }
      }
    });

    await t.test('pages: complete ones, passed on unchanged or converted', async t => {
      for (const [name, own] of [
        ['whole', 'Png'],
        ['whole.jpg', 'Jpeg'],
        ['whole.png', 'Png'],
        ['progressive.jpg', 'Jpeg'],
      ] as const) {
        for (const imageFormat of ['Jpeg', 'Png']) {
          const { json } = await scan(fixture, name, { imageFormat });
          t.match(json, { success: true, imageCount: 2 }, `${name} as ${imageFormat}`);
          if (name !== 'whole' && own === imageFormat)
            t.ok(fileOf(json.images[1]).equals(files[name]!), `${name} byte for byte`);
        }
      }
    });

    await t.test('capabilities: invalid, driver-failed for every caller', async t => {
      const asked = await get<{ error: string }>(fixture, '/api/twain/scanners/capabilities/capabilities');
      t.equal(asked.status, 500);
      t.match(asked.json.error, /driver lying.*colorModes/);
      const { json } = await scan(fixture, 'capabilities', { resolution: 100 });
      t.match(json, { status: 'DriverFailed', error: /driver lying.*colorModes/, imageCount: 0 });
    });

    await t.test('messages: a driver’s text without a full stop, separated from the next sentence', async t => {
      const { json } = await scan(fixture, 'throws', { pageSize: 'Letter' });
      t.match(json, { status: 'DriverFailed', message: /^E_FAIL 0x80004005\. \S/, imageCount: 1 });
    });

    await t.test('scan: after all failures, every other scanner works', async t => {
      t.equal((await scan(fixture, flatbed, { resolution: 75 })).status, 200);
      t.equal((await scan(fixture, 'whole')).json.imageCount, 2);
    });
  });
}

void t.test(
  'JPEG: without a decoder, a truncated one is rejected and a complete one has the documented format',
  async t => {
    const folder = await mkdtemp(join(tmpdir(), 'platen-lies-'));
    t.teardown(() => rm(folder, { recursive: true, force: true }));
    const files = await drawn();
    for (const [name, bytes] of Object.entries(files)) await writeFile(join(folder, name), bytes);
    const fixture = await startWith(t, 'the service', folder, Object.keys(files), ['@platen/format-png']);
    for (const name of ['cut.jpg', 'half.jpg', 'garbage.jpg', 'half-progressive.jpg']) {
      t.match(await scan(fixture, name), { status: 500, json: { status: 'DriverFailed', imageCount: 1 } }, name);
    }
    const { json } = await scan(fixture, 'whole.jpg');
    t.match(json, { status: 'Success', images: [{ format: 'Png' }, { format: 'Jpeg', mimeType: 'image/jpeg' }] });
  },
);
