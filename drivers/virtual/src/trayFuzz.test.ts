/** Trays with damaged files and strange names: every sheet is scanned or put aside with a code, and the feeder becomes empty. */
import { mkdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { driverCodes } from '@platen/core/driver';
import { damaged, fuzzed } from '@platen/conformance/fuzz';
import * as fc from 'fast-check';
import sharp from 'sharp';
import t from 'tap';
import { failureOf, orderOf, put, rigOf } from './rig.test.kit.js';

const RUNS = 30;
const MOST_PIXELS = 4_000_000;
/** More scans than sheets: each scan may end with one that is put aside. */
const MOST_SCANS = 20;

const picture = sharp({ create: { width: 30, height: 40, channels: 3, background: '#a31' } }).withDensity(75);
const valid = await Promise.all(
  (['png', 'jpeg', 'tiff', 'webp', 'gif'] as const).map(format => picture.clone().toFormat(format).toBuffer()),
);
const names = [
  '1.png',
  '1.front.png',
  '1.back.png',
  '2.BACK.tif',
  '.hidden.png',
  'a b\\c.jpg',
  'ä.front',
  '-',
  'x.part',
];
const name = fc.oneof(
  { weight: 3, arbitrary: fc.constantFrom(...names) },
  {
    weight: 1,
    arbitrary: fc
      .string({ unit: 'grapheme', minLength: 1, maxLength: 40 })
      .filter(each => !/[/\0]/.test(each) && !/^\.{1,2}$/.test(each) && Buffer.byteLength(each) < 200),
  },
);
const files = fc.uniqueArray(fc.tuple(name, damaged(valid)), {
  minLength: 1,
  maxLength: 5,
  selector: ([its]) => its.normalize('NFC').toLowerCase(),
});

const { session, tray } = await rigOf(t, { tray: 'tray', duplex: true });
const order = orderOf({ pageSize: 'Auto', duplexMode: 'DuplexLongEdge', maxPixels: MOST_PIXELS });

t.test('tray: damaged files, scanned or rejected', async () => {
  await fc.assert(
    fc.asyncProperty(files, async all => {
      await rm(tray, { recursive: true, force: true });
      await mkdir(tray);
      for (const [its, bytes] of all) await put(tray, its, bytes);
      await writeFile(join(tray, 'z.txt'), 'no picture');
      for (let scans = 0; ; scans++) {
        const { pages, code, message } = await failureOf(session, order);
        for (const { width, height, data, stride } of pages)
          if (!(width > 0 && height > 0 && width * height <= MOST_PIXELS && data.length >= (height - 1) * stride))
            throw new Error(`a page of ${width} x ${height} pixels with ${data.length} bytes`);
        if (code === 'no-paper') return;
        if (code !== 'no failure' && !(driverCodes as readonly unknown[]).includes(code))
          throw new Error(`${String(code)}: ${message}`);
        if (scans > MOST_SCANS) throw new Error(`after ${scans} scans the feeder is not empty: ${message}`);
      }
    }),
    fuzzed(RUNS),
  );
});
