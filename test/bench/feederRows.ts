/**
 * Keeping up with a fast feeder: duplex, colour, deskew and barcodes. The scanner is a network scanner in the
 * benchmark's process, whose motor runs on while its memory lasts; it records how long it had to stand still.
 */
import { availableParallelism } from 'node:os';
import { startDevice, type Device } from '@platen/driver-escl/testing';
import type { ScanWishes } from './ask.js';
import { codedSheets, type CodedSheet } from './codedSheets.js';
import type { FetchTaking, FetchTask } from './fetcher.js';
import { startHelper } from './helper.js';
import { table } from './numbers.js';
import { startServiceWith, type Service } from './service.js';

/** Both sides of 70 sheets a minute. */
const IMAGES_PER_MINUTE = 140;
const IMAGES = 300;
/** Without a pace. */
const FREE_IMAGES = 60;
/** As many as the scanner keeps encoded. */
const DIFFERENT = 12;
export const MODEL = 'Fast feeder';

export const MS_PER_SHEET = (2 * 60_000) / IMAGES_PER_MINUTE;
const NO_PACE = undefined;

export const parameters = {
  duplexMode: 'DuplexLongEdge',
  autoDeskew: true,
  barcodeReadingEnabled: true,
  barcodeFormats: ['QrCode', 'Code128'],
  report: true,
};

/** The plugins of `server/config/platen.json` that have a part in it; its limits are the defaults. */
export const shippedPlugins = ['adjust', 'barcode', 'ocr', 'blank-pages', 'patch-codes'].map(name => ({
  use: `@platen/${name}`,
}));

export async function feederRows(
  folder: string,
  _files: readonly string[],
  say: (line: string) => void,
): Promise<string> {
  say(`drawing ${2 * DIFFERENT} sides`);
  const sheets = await codedSheets(DIFFERENT);
  const free = await feed(folder, { sheets, images: FREE_IMAGES, sheetMs: NO_PACE, wishes: parameters });
  say(`${FREE_IMAGES} images without a pace: ${perMinute(free).toFixed(0)} a minute`);
  const paced = await feed(folder, { sheets, images: IMAGES, sheetMs: MS_PER_SHEET, wishes: parameters });
  const waits = paced.waits.filter(ms => ms > 0);
  const waited = waits.reduce((sum, ms) => sum + ms, 0);
  say(`${IMAGES} images at ${IMAGES_PER_MINUTE} a minute: the feeder waited ${waits.length} times`);
  return table(
    [
      'duplex, A4, 300 dpi, colour, JPEG, deskewed, QR and Code 128',
      'images',
      'feeder waited, times',
      's in all',
      'longest, ms',
      'images/min',
      'processor, s an image',
      'codes read',
      'wanted',
    ],
    [
      [
        `fed at ${IMAGES_PER_MINUTE} images a minute`,
        `${IMAGES}`,
        `${waits.length}`,
        (waited / 1000).toFixed(1),
        Math.max(0, ...waits).toFixed(0),
        perMinute(paced).toFixed(0),
        secondsEach(paced),
        codesOf(paced, sheets),
        `never waits: ${waits.length === 0 ? 'met' : 'missed'}`,
      ],
      [
        'fed as fast as they are taken',
        `${FREE_IMAGES}`,
        '',
        '',
        '',
        perMinute(free).toFixed(0),
        secondsEach(free),
        codesOf(free, sheets),
        `≥ ${IMAGES_PER_MINUTE}: ${perMinute(free) >= IMAGES_PER_MINUTE ? 'met' : 'missed'}`,
      ],
    ],
  ).concat(
    `\n\n${availableParallelism()} processors have ${((availableParallelism() * 60) / IMAGES_PER_MINUTE).toFixed(2)} s for an image.`,
  );
}

export interface Feeding {
  readonly sheets: readonly CodedSheet[];
  readonly images: number;
  /** Absent: the feeder waits until it is asked. */
  readonly sheetMs: number | undefined;
  /** Scan parameters. */
  readonly wishes: NonNullable<ScanWishes['more']>;
  /** Called with the running service. */
  watch?(service: Service, device: Device): () => void;
}

export interface Fed extends FetchTaking {
  /** Milliseconds that the feeder stood still before each sheet. */
  readonly waits: readonly number[];
  /** Of the service, in all of its threads. */
  readonly serviceMs: number;
  readonly peakBytes: number;
}

export async function feed(folder: string, feeding: Feeding): Promise<Fed> {
  const { sheets, images, sheetMs, wishes, watch } = feeding;
  const device = await startDevice({ model: MODEL, ...(sheetMs === undefined ? {} : { sheetMs }) });
  const stack = Array.from({ length: images / 2 }, (_, i) => sheets[i % sheets.length]).filter(each => !!each);
  const service = await startServiceWith(
    folder,
    { use: '@platen/driver-escl', options: { devices: [device.url], discovery: false } },
    { plugins: shippedPlugins },
  );
  const client = startHelper<FetchTask, FetchTaking>('fetcher');
  try {
    const task = (pages: number): FetchTask => ({
      port: service.port,
      scannerName: MODEL,
      imageFormat: 'Jpeg',
      pages,
      check: false,
      more: wishes,
    });
    // The pictures are encoded once, and the service's threads have started.
    await device.insert(sheets);
    await client.run(task(2 * sheets.length));
    const before = await service.processorMs();
    const done = watch?.(service, device);
    await device.insert(stack);
    const taking = await client.run(task(images));
    done?.();
    const serviceMs = ((await service.processorMs()) ?? NaN) - (before ?? NaN);
    return { ...taking, waits: [...device.waits], serviceMs, peakBytes: (await service.peakBytes()) ?? NaN };
  } finally {
    client.end();
    await service.stop();
    await device.close();
  }
}

export const perMinute = ({ ms, sizes }: Fed): number => (sizes.length / ms) * 60_000;
const secondsEach = ({ serviceMs, sizes }: Fed): string => (serviceMs / sizes.length / 1000).toFixed(2);

/** @throws where a page was not straightened: that would be less work */
function codesOf({ found }: Fed, sheets: readonly CodedSheet[]): string {
  let [there, read] = [0, 0];
  found.forEach(({ codes, deskewed }, image) => {
    if (!deskewed) throw new Error(`Image ${image + 1} was not straightened.`);
    const { codes: truth = [] } = image % 2 === 0 ? (sheets[(image / 2) % sheets.length] ?? {}) : {};
    there += truth.length;
    read += truth.filter(({ text }) => codes.includes(text)).length;
  });
  return `${read} of ${there}`;
}
