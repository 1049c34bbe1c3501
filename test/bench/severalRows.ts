/**
 * Scanners side by side: what a second one costs the first, and what both cost the calls beside them. The scanners are
 * network scanners in the benchmark's process; the pages are worked on as in `--only feeder`.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { startDevice, type Device } from '@platen/driver-escl/testing';
import { ask } from './ask.js';
import { codedSheets, type CodedSheet } from './codedSheets.js';
import type { FetchTaking, FetchTask } from './fetcher.js';
import { parameters, shippedPlugins } from './feederRows.js';
import { startHelper } from './helper.js';
import { spell, spreadOf, table, verdict } from './numbers.js';
import { startServiceWith, type Service } from './service.js';

/** Each feeder gives both sides of 30 sheets a minute. */
const IMAGES_PER_MINUTE = 60;
const MS_PER_SHEET = (2 * 60_000) / IMAGES_PER_MINUTE;
const IMAGES = 20;
/** Of the stack beside which pages are scanned on another scanner, as fast as they are taken. */
const STACK = 60;
const ROUNDS = 3;
const PAGES_BESIDE = 3;
const DIFFERENT = 6;
const CALLS = ['/api/twain/status', '/api/twain/scanners'] as const;

type Wishes = NonNullable<FetchTask['more']>;
const { duplexMode, ...onePage } = parameters;
const plain: Wishes = { duplexMode, report: true };

interface Desk {
  readonly service: Service;
  /** Scans so many images. @returns milliseconds */
  scan(device: Device, images: number, wishes?: Wishes): Promise<number>;
}

/** @param use the devices are named by their number */
async function withDesk<T>(
  folder: string,
  sheets: readonly CodedSheet[],
  paces: readonly (number | undefined)[],
  use: (desk: Desk, devices: readonly Device[]) => Promise<T>,
): Promise<T> {
  const devices = await Promise.all(
    paces.map((sheetMs, at) => startDevice({ model: nameOf(at), ...(sheetMs === undefined ? {} : { sheetMs }) })),
  );
  const options = { devices: devices.map(({ url }) => url), discovery: false };
  const service = await startServiceWith(folder, { use: '@platen/driver-escl', options }, { plugins: shippedPlugins });
  const clients = devices.map(() => startHelper<FetchTask, FetchTaking>('fetcher'));
  const scan: Desk['scan'] = async (device, images, wishes = parameters) => {
    const at = devices.indexOf(device);
    await device.insert(
      Array.from({ length: Math.ceil(images / 2) }, (_, i) => sheets[i % sheets.length]).filter(each => !!each),
    );
    const task = {
      port: service.port,
      scannerName: nameOf(at),
      imageFormat: 'Jpeg',
      pages: images,
      check: false,
    } as const;
    return (await clients[at]!.run({ ...task, more: wishes })).ms;
  };
  try {
    // The pictures are encoded once, and the service's threads have started.
    for (const device of devices) await scan(device, 2 * sheets.length);
    return await use({ service, scan }, devices);
  } finally {
    for (const client of clients) client.end();
    await service.stop();
    for (const device of devices) await device.close();
  }
}

const nameOf = (at: number): string => `Scanner ${at + 1}`;

export async function severalRows(
  folder: string,
  _files: readonly string[],
  say: (line: string) => void,
): Promise<string> {
  say(`drawing ${2 * DIFFERENT} sides`);
  const sheets = await codedSheets(DIFFERENT);
  const pace = MS_PER_SHEET;

  const waits: Record<string, number[]> = Object.fromEntries(CALLS.map(path => [path, []]));
  const besideOfAfter = (wishes: Wishes): Promise<number[]> =>
    withDesk(folder, sheets, [pace, pace], async ({ service, scan }, [one, two]) => {
      const found: number[] = [];
      for (let round = 1; round <= ROUNDS; round++) {
        const after = (await scan(one!, IMAGES, wishes)) + (await scan(two!, IMAGES, wishes));
        const began = performance.now();
        const both = Promise.all([scan(one!, IMAGES, wishes), scan(two!, IMAGES, wishes)]);
        await Promise.all([both, callWhile(service.port, both, waits)]);
        const beside = performance.now() - began;
        found.push(beside / after);
        say(`two feeders, round ${round}: ${seconds(after)} s one after the other, ${seconds(beside)} s side by side`);
      }
      return found;
    });
  const plainRatios = await besideOfAfter(plain);
  const ratios = await besideOfAfter(parameters);

  const pages = await withDesk(folder, sheets, [undefined, undefined], async ({ scan }, [stack, other]) => {
    const [alone, beside]: [number[], number[]] = [[], []];
    for (let round = 1; round <= ROUNDS; round++) {
      for (let page = 0; page < PAGES_BESIDE; page++) alone.push(await scan(other!, 1, onePage));
      let isOver = false;
      const all = scan(stack!, STACK).finally(() => (isOver = true));
      await sleep(2000);
      for (let page = 0; page < PAGES_BESIDE; page++) {
        const ms = await scan(other!, 1, onePage);
        if (!isOver) beside.push(ms);
      }
      await all;
      say(
        `a page beside a stack, round ${round}: ${alone.at(-1)?.toFixed(0)} ms alone, ${beside.at(-1)?.toFixed(0)} ms`,
      );
    }
    return { alone: spreadOf(alone), beside: spreadOf(beside) };
  });

  const peaks: number[] = [];
  for (const count of [1, 2])
    peaks.push(
      await withDesk(folder, sheets, [undefined, undefined].slice(0, count), async ({ service, scan }, devices) => {
        await Promise.all(devices.map(device => scan(device, STACK)));
        return (await service.peakBytes()) ?? NaN;
      }),
    );
  const [peakOfOne = NaN, peakOfTwo = NaN] = peaks;

  const calls = CALLS.map(path => [path, percentile(waits[path] ?? [], 0.99)] as const);
  const slower = pages.beside.median / pages.alone.median;
  return table(
    ['duplex, A4, 300 dpi, colour, JPEG', 'measured', 'wanted'],
    [
      [
        `two feeders of ${IMAGES_PER_MINUTE} images a minute side by side, of one after the other`,
        spell(spreadOf(plainRatios), 2),
        verdict('≤', spreadOf(plainRatios).median, 0.55),
      ],
      ['the same, deskewed, QR and Code 128', spell(spreadOf(ratios), 2), verdict('≤', spreadOf(ratios).median, 0.55)],
      [
        `so worked on, a page on another scanner beside a stack of ${STACK} images, of its time alone (${pages.alone.median.toFixed(0)} ms)`,
        slower.toFixed(2),
        verdict('≤', slower, 1.5),
      ],
      ...calls.map(([path, ms]) => [
        `\`${path}\` beside two feeders, p99 of ${waits[path]?.length} calls, ms`,
        ms.toFixed(0),
        verdict('≤', ms, 50, 0),
      ]),
      [
        `memory at its peak with two stacks, of ${(peakOfOne / 1e6).toFixed(0)} MB with one`,
        (peakOfTwo / peakOfOne).toFixed(2),
        verdict('≤', peakOfTwo / peakOfOne, 1.3),
      ],
    ],
  );
}

/** Asks one call after the other until the work is over, and notes the milliseconds of each. */
async function callWhile(port: number, work: Promise<unknown>, waits: Record<string, number[]>): Promise<void> {
  let isOver = false;
  work.then(
    () => (isOver = true),
    () => (isOver = true),
  );
  while (!isOver)
    for (const path of CALLS) {
      const began = performance.now();
      const answer = await ask({ port, method: 'GET', path });
      for await (const _ of answer);
      waits[path]?.push(performance.now() - began);
      await sleep(50);
    }
}

const percentile = (values: readonly number[], share: number): number =>
  [...values].sort((a, b) => a - b)[Math.ceil(values.length * share) - 1] ?? NaN;

const seconds = (ms: number): string => (ms / 1000).toFixed(1);
