/**
 * SANE scanners: the service compared with `scanimage` on the same backend, a page through the helper's pipe, and the
 * memory of a long scan.
 */
import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { nullLog } from '@platen/core/plugin';
import sane from '@platen/driver-sane';
import { SHEETS, TESTER, useTestBackend } from '../sane/testBackend.js';
import { backend } from '../topology/saneTopology.js';
import type { ScanTaking, ScanTask } from './client.js';
import { startHelper } from './helper.js';
import { spell, spreadOf, table } from './numbers.js';
import { alternate } from './rounds.js';
import { SCANIMAGE_QUALITY, timeScanimage } from './scanimage.js';
import { startServiceWith, type Service } from './service.js';
import { sheet, sheetBytes } from './sheets.js';

const ROUNDS = 7;
const PIPE_PAGES = 40;
const PIPE_WANTED_MS = 15;
const SHORT = 40;
const LONG = 200;
type Say = (line: string) => void;

export async function saneRows(folder: string, _files: readonly string[], say: Say): Promise<string> {
  if (!existsSync('/usr/bin/scanimage')) return 'The rows of SANE need scanimage (Debian: sane-utils).';
  const own = await mkdtemp(join(folder, 'sane-'));
  const tables = [await againstScanimage(own, say), await throughPipe(own, say), await longScan(own, say)];
  return tables.join('\n\n');
}

async function againstScanimage(folder: string, say: Say): Promise<string> {
  await useTestBackend(folder);
  const service = await serviceOverSane(folder);
  const client = startHelper<ScanTask, ScanTaking>('client');
  const task = { port: service.port, scannerName: TESTER, imageFormat: 'Jpeg', pages: SHEETS, decode: false } as const;
  const theirs = { configDir: join(folder, 'sane'), resolution: sheet.dpi } as const;
  const of = {
    best: async () => (await client.run(task)).ms,
    same: async () => (await client.run({ ...task, jpegQuality: SCANIMAGE_QUALITY })).ms,
    jpeg: () => timeScanimage({ ...theirs, format: 'jpeg' }),
    pnm: () => timeScanimage({ ...theirs, format: 'pnm' }),
  };
  let times: Record<keyof typeof of, number[]>;
  try {
    times = await alternate(of, { rounds: ROUNDS, title: `${SHEETS} pages of SANE, ms`, say });
  } finally {
    client.end();
    await service.stop();
  }
  const ratio = (ours: readonly number[], theirs: readonly number[]): number =>
    spreadOf(ours).median / spreadOf(theirs).median;
  const row = (title: string, ours: readonly number[]): string[] => {
    const toJpeg = ratio(ours, times.jpeg);
    return [
      title,
      spell(spreadOf(ours)),
      spell(spreadOf(times.jpeg)),
      toJpeg.toFixed(2),
      spell(spreadOf(times.pnm)),
      ratio(ours, times.pnm).toFixed(2),
      `≤ 1.00: ${toJpeg <= 1 ? 'met' : 'missed'}`,
    ];
  };
  return table(
    [
      `${SHEETS} A4 pages of the feeder, 300 dpi, colour`,
      '`POST /scan`, ms',
      '`scanimage` JPEG, ms',
      'ratio',
      '`scanimage` PNM, ms',
      'ratio',
      'wanted, of JPEG',
    ],
    [
      row(`JPEG ${SCANIMAGE_QUALITY}, as scanimage writes it`, times.same),
      row('JPEG 90, the default: colour in full', times.best),
    ],
  );
}

/** Pages of the tests' own backend, which only has to fill them: the rest is the helper, the pipe and the driver. */
async function throughPipe(folder: string, say: Say): Promise<string> {
  const configDir = await stackOf(folder, PIPE_PAGES);
  process.env['LD_LIBRARY_PATH'] = backend();
  const { drivers = [] } = await sane.setup({
    options: { configDir, localOnly: true, silenceSeconds: 60 },
    log: nullLog,
    dataDir: folder,
  });
  const [driver] = drivers;
  if (!driver) throw new Error('There is no driver.');
  const { signal } = new AbortController();
  const session = await driver.open('platen:stack', { signal });
  const times: number[] = [];
  let from = performance.now();
  const order = {
    source: 'feeder',
    resolution: sheet.dpi,
    colorMode: 'Color',
    duplexMode: 'Simplex',
    pageSize: 'A4',
    adjustments: [],
    maxPixels: 1e8,
  } as const;
  for await (const page of session.scan(order, { signal, stop: signal })) {
    if (page.data.length < sheetBytes) throw new Error(`A page has ${page.data.length} bytes.`);
    times.push(performance.now() - from);
    from = performance.now();
  }
  await driver.close();
  const spread = spreadOf(times.slice(1));
  say(`a page through the helper's pipe: ${spell(spread, 1)} ms`);
  return table(
    [`a page of ${(sheetBytes / 1e6).toFixed(0)} MB from the helper`, 'ms', 'wanted'],
    [
      [
        `median of ${PIPE_PAGES - 1} pages, the backend's filling them with it`,
        spell(spread, 1),
        `≤ ${PIPE_WANTED_MS}: ${spread.median <= PIPE_WANTED_MS ? 'met' : 'missed'}`,
      ],
    ],
  );
}

async function longScan(folder: string, say: Say): Promise<string> {
  const peaks: number[] = [];
  for (const pages of [SHORT, LONG]) {
    await stackOf(folder, pages);
    const service = await serviceOverSane(folder, { LD_LIBRARY_PATH: backend() });
    const client = startHelper<ScanTask, ScanTaking>('client');
    try {
      await client.run({
        port: service.port,
        scannerName: 'Platen Simulated',
        imageFormat: 'Jpeg',
        pages,
        decode: false,
      });
      peaks.push((await service.peakBytes()) ?? NaN);
      say(`${pages} pages of SANE as JPEG: ${((peaks.at(-1) ?? NaN) / 1e6).toFixed(0)} MB`);
    } finally {
      client.end();
      await service.stop();
    }
  }
  const [short = NaN, long = NaN] = peaks;
  return table(
    ['peak memory of a JPEG scan over SANE', `${SHORT} pages, MB`, `${LONG} pages, MB`, 'ratio', 'wanted'],
    [
      [
        'resident, a fresh service each',
        (short / 1e6).toFixed(0),
        (long / 1e6).toFixed(0),
        (long / short).toFixed(2),
        `≤ 1.10: ${long / short <= 1.1 ? 'met' : 'missed'}`,
      ],
    ],
  );
}

/** A scanner of the tests' own with plain sheets in its feeder. @returns the folder of SANE's configuration */
async function stackOf(folder: string, sheets: number): Promise<string> {
  const sane = join(folder, 'sane');
  const body = join(sane, 'bodies', 'stack');
  await mkdir(join(body, 'feeder'), { recursive: true });
  await writeFile(join(sane, 'dll.conf'), 'platen\n');
  await writeFile(join(body, 'is'), 'feeder sensors');
  for (let number = 0; number < sheets; number++)
    await writeFile(join(body, 'feeder', String(number).padStart(4, '0')), '');
  return sane;
}

export function serviceOverSane(folder: string, env: Readonly<Record<string, string>> = {}): Promise<Service> {
  return startServiceWith(
    folder,
    { use: '@platen/driver-sane', options: { configDir: join(folder, 'sane'), localOnly: true } },
    { env },
  );
}
