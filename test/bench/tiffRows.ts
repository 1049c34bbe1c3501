/** Kept TIFF pages as one TIFF, by the whole service, against libtiff's tiffcp; and the memory of long ones. */
import { execFile } from 'node:child_process';
import { createWriteStream } from 'node:fs';
import { rm, stat } from 'node:fs/promises';
import { Agent } from 'node:https';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { promisify } from 'node:util';
import { lacking } from '@platen/conformance';
import { ask } from './ask.js';
import { spell, spreadOf, table, verdict } from './numbers.js';
import { bytesOf, documentOf, start } from './pdfRows.js';
import { stackName } from './plugin/stacks.js';
import { stacksOf, startServiceWith } from './service.js';

const run = promisify(execFile);

const PAGES = 20;
const ROUNDS = 5;
/** Pages of a document whose memory is measured: the long one has the kept pages again and again. */
const [SHORT, LONG] = [20, 240];
const [TIME_WANTED, SIZE_WANTED, MEMORY_WANTED] = [1, 1.02, 1.1];

const plugins = [
  { use: '@platen/format-tiff', required: true },
  { use: '@platen/document-tiff', required: true },
];

/** @param say tells a person what is going on */
export async function tiffRows(folder: string, files: readonly string[], say: (line: string) => void): Promise<string> {
  if (lacking('tiffcp')) return 'The row of kept pages as TIFF needs tiffcp (Debian: libtiff-tools).';
  const service = await startServiceWith(folder, stacksOf({ files, stacks: [PAGES], hold: false }), { plugins });
  const agent = new Agent({ keepAlive: true });
  try {
    const id = await start(service, stackName(PAGES), false, 'Tiff');
    // Until every page is stored.
    await bytesOf(await documentOf(service, id, 'format=tiff'));
    const short = await service.peakBytes();
    const repeated = Array.from({ length: LONG / PAGES }, () => `1-${PAGES}`).join(',');
    await bytesOf(await documentOf(service, id, `format=tiff&pages=${repeated}`));
    const long = await service.peakBytes();
    const pages: string[] = [];
    for (let page = 1; page <= PAGES; page++) {
      const file = join(folder, `kept-${page}.tif`);
      const answer = await ask({ port: service.port, path: `/api/scans/${id}/pages/${page}`, agent });
      await pipeline(answer, createWriteStream(file));
      pages.push(file);
    }
    const [ours, theirs] = [join(folder, 'ours.tif'), join(folder, 'theirs.tif')];
    const times = { ours: [] as number[], theirs: [] as number[] };
    for (let round = 1; round <= ROUNDS; round++) {
      let began = performance.now();
      await pipeline(await documentOf(service, id, 'format=tiff'), createWriteStream(ours));
      times.ours.push(performance.now() - began);
      began = performance.now();
      await run('tiffcp', [...pages, theirs]);
      times.theirs.push(performance.now() - began);
      say(`${PAGES} kept pages as TIFF, round ${round} of ${ROUNDS}`);
    }
    const [own, other] = [spreadOf(times.ours), spreadOf(times.theirs)];
    const [size, otherSize] = await Promise.all([ours, theirs].map(async file => (await stat(file)).size));
    const ratio = own.median / other.median;
    const sizes = (size ?? NaN) / (otherSize ?? NaN);
    await Promise.all([ours, theirs, ...pages].map(file => rm(file)));
    const memory = short === undefined || long === undefined ? NaN : long / short;
    const megabytes = (bytes: number | undefined): string => ((bytes ?? NaN) / 1e6).toFixed(0);
    return [
      table(
        [`${PAGES} kept A4 pages, 300 dpi, colour, TIFF, as one TIFF`, 'service', 'tiffcp', 'ratio', 'wanted'],
        [
          ['ms, over HTTPS to a file', spell(own), spell(other), ratio.toFixed(2), verdict('≤', ratio, TIME_WANTED)],
          ['bytes', String(size), String(otherSize), sizes.toFixed(4), verdict('≤', sizes, SIZE_WANTED)],
        ],
      ),
      table(
        ['the same pages as one TIFF', `${SHORT} pages, MB`, `${LONG} pages, MB`, 'ratio', 'wanted'],
        [['peak memory', megabytes(short), megabytes(long), memory.toFixed(2), verdict('≤', memory, MEMORY_WANTED)]],
      ),
    ].join('\n\n');
  } finally {
    agent.destroy();
    await service.stop();
  }
}
