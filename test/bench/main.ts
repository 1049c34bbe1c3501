/**
 * `npm run bench`: measures speed and memory, and prints Markdown. It asserts nothing about either; results that are
 * wrong end it.
 */
import { rmSync } from 'node:fs';
import { mkdtemp, rm, statfs } from 'node:fs/promises';
import { availableParallelism, cpus, loadavg, tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { adjustRows } from './adjustRows.js';
import { announcedRows } from './announcedRows.js';
import { backlogRows } from './backlogRows.js';
import { barcodeRows } from './barcodeRows.js';
import { blankRows } from './blankRows.js';
import { browserRows } from './browserRows.js';
import { codeRows } from './codeRows.js';
import { desktopRows } from './desktopRows.js';
import { documentRows } from './documentRows.js';
import { esclRows } from './esclRows.js';
import { eventRows } from './eventRows.js';
import { feederRows } from './feederRows.js';
import { growthRows } from './growthRows.js';
import { installRows } from './installRows.js';
import { longestBytes, memoryRows } from './memoryRows.js';
import { ocrRows } from './ocrRows.js';
import { patchRows } from './patchRows.js';
import { pdfRows } from './pdfRows.js';
import { previewRows } from './previewRows.js';
import { saneRows } from './saneRows.js';
import { scansRows } from './scansRows.js';
import { severalRows } from './severalRows.js';
import { shippedRows } from './shippedRows.js';
import { reportPart } from './short/report.js';
import { shortRun } from './short/run.js';
import { differentSheets, drawSheets, sheetBytes } from './sheets.js';
import { startRows } from './startRows.js';
import { tabRows } from './tabRows.js';
import { textRows } from './textRows.js';
import { wholeRows } from './wholeRows.js';

const parts = {
  start: startRows,
  growth: growthRows,
  install: installRows,
  browser: browserRows,
  tab: tabRows,
  shipped: shippedRows,
  scans: scansRows,
  memory: memoryRows,
  pdf: pdfRows,
  text: textRows,
  events: eventRows,
  ocr: ocrRows,
  barcode: barcodeRows,
  codes: codeRows,
  blank: blankRows,
  patch: patchRows,
  adjust: adjustRows,
  preview: previewRows,
  sane: saneRows,
  escl: esclRows,
  announced: announcedRows,
  whole: wholeRows,
  desktop: desktopRows,
  documents: documentRows,
  feeder: feederRows,
  several: severalRows,
  backlog: backlogRows,
} as const;
/** These need none of the pages that are drawn, which takes longer than they do. */
const pageless: ReadonlySet<string> = new Set([
  'start',
  'growth',
  'announced',
  'install',
  'browser',
  'tab',
  'shipped',
  'ocr',
  'barcode',
  'blank',
  'patch',
  'adjust',
  'preview',
  'sane',
  'codes',
  'feeder',
  'several',
  'backlog',
]);
const names = Object.keys(parts) as (keyof typeof parts)[];

const usage = `npm run bench -- [--write | --only ${names.join(' | ')}]

Measures one row beside each program that users would pick instead, in ten minutes, and prints their table; --write puts
it into test/bench/README.md. --only runs a longer part, and prints tables to paste. Either needs some gigabytes in the
folder for temporary files (TMPDIR), and removes them.`;

async function main(): Promise<number> {
  const { values } = parseArgs({
    options: { only: { type: 'string' }, write: { type: 'boolean' }, help: { type: 'boolean' } },
  });
  const only = names.find(name => name === values.only);
  if (values.help || (values.only !== undefined && (values.write || only === undefined))) {
    console.log(usage);
    return values.help ? 0 : 2;
  }
  const folder = await mkdtemp(join(tmpdir(), 'platen-bench-'));
  for (const signal of ['SIGINT', 'SIGTERM'] as const)
    process.once(signal, () => {
      rmSync(folder, { recursive: true, force: true });
      process.exit(1);
    });
  try {
    await assertRoom(folder, only === 'memory');
    if (only !== undefined) {
      const files = pageless.has(only) ? [] : await drawn(folder);
      console.log(`${machine()}\n\n${await parts[only](folder, files, say)}`);
      return 0;
    }
    const report = await shortRun(folder, machine(), say);
    console.log(report);
    if (values.write) reportPart.write(report);
    return 0;
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

function drawn(folder: string): Promise<string[]> {
  say(`drawing ${differentSheets} pages in ${folder}`);
  return drawSheets(folder);
}

/** Raw pages, and what the service keeps of the longest scan. */
async function assertRoom(folder: string, long: boolean): Promise<void> {
  const { bavail, bsize } = await statfs(folder);
  const needed = sheetBytes * differentSheets * 2 + (long ? longestBytes : 0);
  if (bavail * bsize >= needed) return;
  throw new Error(
    `${folder} has ${gigabytes(bavail * bsize)} free, and ${gigabytes(needed)} are needed: make room, or set TMPDIR.`,
  );
}

function machine(): string {
  const load = (loadavg()[0] ?? NaN).toFixed(1);
  const model = cpus()[0]?.model.trim() ?? 'unknown processor';
  return `${availableParallelism()} cores (${model}), Node ${process.version}, ${new Date().toISOString().slice(0, 10)}, load ${load} at the beginning.`;
}

const gigabytes = (bytes: number): string => `${(bytes / 1e9).toFixed(1)} GB`;

function say(line: string): void {
  console.error(`… ${line}`);
}

try {
  process.exitCode = await main();
} catch (error) {
  console.error(error);
  process.exitCode = 1;
}
