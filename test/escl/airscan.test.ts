/**
 * The eSCL test device follows the standard: Debian's sane-airscan, an independent client, lists it and scans from it.
 */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import {
  readMark,
  selfSigned,
  startDevice,
  type Device,
  type DeviceOptions,
  type Fault,
} from '@platen/driver-escl/testing';
import sharp from 'sharp';
import t, { type Test } from 'tap';
import { readPicture } from '../sane/testBackend.js';
import { again, airscan, needsAirscan, type Airscan } from './airscan.js';

const A4 = ['-l', '0', '-t', '0', '-x', '210', '-y', '297'];

async function started(t: Test, options?: DeviceOptions): Promise<{ device: Device; client: Airscan }> {
  const folder = await mkdtemp(join(tmpdir(), 'platen-escl-'));
  const device = await startDevice(options);
  t.teardown(async () => {
    await device.close();
    await rm(folder, { recursive: true, force: true });
  });
  return { device, client: await airscan(folder, device.url) };
}

const marks = (pages: readonly Uint8Array[]) => Promise.all(pages.map(readMark));
const side = (sheet: number, side: 'front' | 'back' | 'flatbed') => ({ sheet, side });

if (needsAirscan(t)) {
  t.test('sane-airscan: the test device, listed', async t => {
    const { client } = await started(t);
    t.match(await client.list(), /^device `airscan:e0:Tester' is a eSCL Tester/m);
  });

  for (const [name, tls] of [
    ['HTTP', undefined],
    ['HTTPS, with its own certificate', selfSigned()],
  ] as const) {
    t.test(`sane-airscan: flatbed over ${name}, one page of the requested size`, async t => {
      const { client } = await started(t, tls && { tls });
      const { pages, stderr } = await client.scan([
        '--source',
        'Flatbed',
        '--mode',
        'Color',
        '--resolution',
        '100',
        ...A4,
        '--batch-count=1',
      ]);
      t.equal(pages.length, 1, stderr);
      t.match(await sharp(pages[0]).metadata(), { width: 827, height: 1169, channels: 3, density: 100 });
      t.same(await marks(pages), [side(0, 'flatbed')]);
    });
  }

  t.test('sane-airscan: part of the flatbed, exactly that part', async t => {
    const { device, client } = await started(t);
    const part = ['-l', '12.7', '-t', '25.4', '-x', '101.6', '-y', '127'];
    const { pages, stderr } = await client.scan([
      '--source',
      'Flatbed',
      '--mode',
      'Gray',
      '--resolution',
      '150',
      ...part,
      '--batch-count=1',
    ]);
    t.equal(pages.length, 1, stderr);
    const [page, expected] = await Promise.all([readPicture(pages[0]!), readPicture((await again(device))[0]!)]);
    t.match(page, { width: 600, height: 750, channels: 1 });
    t.ok(new Set(page.samples).size > 1, 'the page is not blank');
    t.ok(page.samples.equals(expected.samples));
  });

  t.test('sane-airscan: feeder, scans until it is empty', async t => {
    const { device, client } = await started(t);
    device.load(3);
    const { pages, stderr } = await client.scan(['--source', 'ADF', '--mode', 'Gray', '--resolution', '75', ...A4]);
    t.match(stderr, /out of documents/);
    t.same(
      await marks(pages),
      [1, 2, 3].map(sheet => side(sheet, 'front')),
    );
    for (const page of pages) t.match(await sharp(page).metadata(), { width: 620, height: 877, channels: 1 });
    t.equal(device.remaining(), 0);
  });

  t.test('sane-airscan: feeder that ends with 409 like AirSane, scans until it is empty', async t => {
    const { device, client } = await started(t, { airSane: 'loaded' });
    device.load(2);
    const { pages, stderr } = await client.scan(['--source', 'ADF', '--mode', 'Gray', '--resolution', '75', ...A4]);
    t.match(stderr, /out of documents/);
    t.same(
      await marks(pages),
      [1, 2].map(sheet => side(sheet, 'front')),
    );
  });

  t.test('sane-airscan: feeder, a limited number of sheets, the others stay in the feeder', async t => {
    const { device, client } = await started(t);
    device.load(4);
    const { pages } = await client.scan([
      '--source',
      'ADF',
      '--mode',
      'Gray',
      '--resolution',
      '75',
      ...A4,
      '--batch-count=2',
    ]);
    t.same(
      await marks(pages),
      [1, 2].map(sheet => side(sheet, 'front')),
    );
    t.equal(device.remaining(), 4 - device.fed);
    t.same(
      device.requests.filter(({ method }) => method === 'DELETE').map(({ status }) => status),
      [200],
    );
  });

  t.test('sane-airscan: duplex, both sides of each sheet', async t => {
    const { device, client } = await started(t);
    device.load(2);
    const { pages, stderr } = await client.scan([
      '--source',
      'ADF Duplex',
      '--mode',
      'Color',
      '--resolution',
      '75',
      ...A4,
    ]);
    t.same(
      await marks(pages),
      [1, 2].flatMap(sheet => [side(sheet, 'front'), side(sheet, 'back')]),
      stderr,
    );
    t.equal(device.fed, 2);
  });

  t.test('sane-airscan: an inserted picture, scanned at the page’s size and with its ink', async t => {
    const { device, client } = await started(t);
    const page = { create: { width: 425, height: 550, channels: 3 as const, background: '#006400' } };
    await device.insert([await sharp(page).withDensity(50).png().toBuffer()]);
    const { pages } = await client.scan(['--source', 'ADF', '--mode', 'Color', '--resolution', '100', ...A4]);
    const { samples, width, height } = await readPicture(pages[0]!);
    t.same([width, height], [827, 1169]);
    const middle = (Math.floor(height / 2) * width + Math.floor(width / 2)) * 3;
    t.ok(
      [0, 100, 0].every((value, at) => Math.abs(value - (samples[middle + at] ?? 999)) < 6),
      'the ink of the picture',
    );
  });

  t.test('sane-airscan: fault of the feeder, reported with its cause', async t => {
    const told: readonly (readonly [Fault, RegExp])[] = [
      ['jam', /jammed/i],
      ['door', /cover is open/i],
      ['torn', /I\/O/i],
    ];
    for (const [fault, words] of told) {
      const { device, client } = await started(t);
      device.load(3);
      device.fault(2, fault);
      const { pages, stderr } = await client.scan(['--source', 'ADF', '--mode', 'Gray', '--resolution', '75', ...A4]);
      t.same(await marks(pages), [side(1, 'front')], fault);
      t.match(stderr, words, fault);
    }
  });
}
