/** A scan as one PDF, by the whole service: memory of a long one, its first byte, and kept pages against img2pdf. */
import { execFile } from 'node:child_process';
import { once } from 'node:events';
import { createWriteStream } from 'node:fs';
import { readFile, rm, stat, writeFile } from 'node:fs/promises';
import type { IncomingMessage } from 'node:http';
import { Agent } from 'node:https';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { promisify } from 'node:util';
import { lacking } from '@platen/conformance';
import { ask } from './ask.js';
import { spell, spreadOf, table, verdict } from './numbers.js';
import { PACED, pacedPlugin, type PacedOptions } from './plugin/paced.js';
import { stackName } from './plugin/stacks.js';
import { wordyPlugin } from './plugin/wordy.js';
import { stacksOf, startService, startServiceWith, type Service } from './service.js';
import { sheet } from './sheets.js';

const run = promisify(execFile);

const [SHORT, LONG, ROUNDS] = [40, 1000, 2];
const MEMORY_WANTED = 1.1;
const PAGES = 20;
const TIME_ROUNDS = 7;
const [TIME_WANTED, SIZE_WANTED] = [1, 1.02];
/** 60 pages a minute. */
const MS_PER_PAGE = 1000;

const documents = { use: '@platen/document-pdf', required: true };

/** @param say tells a person what is going on */
export async function pdfRows(folder: string, files: readonly string[], say: (line: string) => void): Promise<string> {
  return [
    await againstImg2pdf(folder, files, say),
    await firstByte(folder, files, say),
    await memory(folder, files, say),
  ].join('\n\n');
}

async function memory(folder: string, files: readonly string[], say: (line: string) => void): Promise<string> {
  const peaks: Readonly<Record<number, number[]>> = { [SHORT]: [], [LONG]: [] };
  const seconds: number[] = [];
  for (let round = 1; round <= ROUNDS; round++)
    for (const [pages, taken] of Object.entries(peaks)) {
      const service = await startService(
        folder,
        { files, stacks: [Number(pages)], hold: false },
        { plugins: [{ use: wordyPlugin }, documents] },
      );
      try {
        const began = performance.now();
        const id = await start(service, stackName(Number(pages)), true);
        const { length } = await bytesOf(await documentOf(service, id));
        if (Number(pages) === LONG) seconds.push((performance.now() - began) / 1000);
        const peak = await service.peakBytes();
        if (peak === undefined) return 'Peak memory is measured on Linux only.';
        taken.push(peak / 1e6);
        say(`PDF, ${pages} pages, round ${round} of ${ROUNDS}: ${(peak / 1e6).toFixed(0)} MB, a file of ${length}`);
      } finally {
        await service.stop();
      }
    }
  const [one, other] = [SHORT, LONG].map(pages => spreadOf(peaks[pages] ?? []));
  if (!one || !other) return '';
  const ratio = other.median / one.median;
  return table(
    [
      'A4, 300 dpi, colour, JPEG, 650 words a page, as PDF while it is scanned',
      `${SHORT} pages, MB`,
      `${LONG} pages, MB`,
      's',
      'ratio',
      'wanted',
    ],
    [
      [
        'peak memory',
        spell(one),
        spell(other),
        spell(spreadOf(seconds)),
        ratio.toFixed(2),
        verdict('≤', ratio, MEMORY_WANTED),
      ],
    ],
  );
}

/** When the PDF's first byte is here, and when the feeder delivered the third page. */
async function firstByte(folder: string, files: readonly string[], say: (line: string) => void): Promise<string> {
  const [go, log] = [join(folder, 'go-pdf'), join(folder, 'fed-pdf')];
  await writeFile(go, '');
  const { width, height, dpi } = sheet;
  const options: PacedOptions = { files, width, height, dpi, sheets: 4, msPerPage: MS_PER_PAGE, go, log };
  const service = await startServiceWith(folder, { use: pacedPlugin, options }, { plugins: [documents] });
  try {
    const answer = await documentOf(service, await start(service, PACED));
    const [first] = (await once(answer, 'data')) as [Buffer];
    const at = process.hrtime.bigint();
    await bytesOf(answer);
    const fed = (await readFile(log, 'utf8')).trim().split('\n').map(BigInt);
    const after = (page: number): number => Number(at - (fed[page - 1] ?? 0n)) / 1e6;
    say(`first ${first.length} bytes ${after(1).toFixed(0)} ms after page 1 was scanned`);
    const result = `before page 3: ${after(3) < 0 ? 'met' : 'missed'}`;
    return table(
      ['a page a second, JPEG', 'ms after page 1 was scanned', 'ms before page 3 was', 'wanted'],
      [['first byte of the PDF', after(1).toFixed(0), (-after(3)).toFixed(0), result]],
    );
  } finally {
    await service.stop();
  }
}

async function againstImg2pdf(folder: string, files: readonly string[], say: (line: string) => void): Promise<string> {
  if (lacking('img2pdf')) return 'The row of kept pages as PDF needs img2pdf (Debian: img2pdf).';
  const service = await startServiceWith(folder, stacksOf({ files, stacks: [PAGES], hold: false }), {
    plugins: [documents],
  });
  const agent = new Agent({ keepAlive: true });
  try {
    const id = await start(service, stackName(PAGES));
    // Until every page is stored.
    await bytesOf(await documentOf(service, id));
    const jpegs: string[] = [];
    for (let page = 1; page <= PAGES; page++) {
      const file = join(folder, `kept-${page}.jpg`);
      const answer = await ask({ port: service.port, path: `/api/scans/${id}/pages/${page}`, agent });
      await pipeline(answer, createWriteStream(file));
      jpegs.push(file);
    }
    const [ours, theirs] = [join(folder, 'ours.pdf'), join(folder, 'theirs.pdf')];
    const times = { ours: [] as number[], theirs: [] as number[] };
    for (let round = 0; round < TIME_ROUNDS; round++) {
      let began = performance.now();
      await pipeline(await documentOf(service, id), createWriteStream(ours));
      times.ours.push(performance.now() - began);
      began = performance.now();
      await run('img2pdf', [...jpegs, '-o', theirs]);
      times.theirs.push(performance.now() - began);
    }
    say(`${PAGES} kept pages as PDF: ${spell(spreadOf(times.ours))} ms, img2pdf ${spell(spreadOf(times.theirs))} ms`);
    const [own, other] = [spreadOf(times.ours), spreadOf(times.theirs)];
    const [size, otherSize] = await Promise.all([ours, theirs].map(async file => (await stat(file)).size));
    const ratio = own.median / other.median;
    const sizes = (size ?? NaN) / (otherSize ?? NaN);
    await Promise.all([ours, theirs, ...jpegs].map(file => rm(file)));
    return table(
      [`${PAGES} kept A4 pages, 300 dpi, colour, JPEG, as PDF`, 'service', 'img2pdf', 'ratio', 'wanted'],
      [
        ['ms, over HTTPS to a file', spell(own), spell(other), ratio.toFixed(2), verdict('≤', ratio, TIME_WANTED)],
        ['bytes', String(size), String(otherSize), sizes.toFixed(4), verdict('≤', sizes, SIZE_WANTED)],
      ],
    );
  } finally {
    agent.destroy();
    await service.stop();
  }
}

/** @returns the scan's id */
export async function start(
  { port }: Service,
  scannerName: string,
  ocrEnabled = false,
  imageFormat = 'Jpeg',
): Promise<string> {
  const parameters = { imageFormat, resolution: sheet.dpi, colorMode: 'Color', pageSize: 'A4', ocrEnabled };
  const answer = await ask({
    port,
    method: 'POST',
    path: '/api/scans',
    body: JSON.stringify({ scannerName, parameters }),
  });
  const text = (await answer.setEncoding('utf8').toArray()).join('');
  if (answer.statusCode !== 201) throw new Error(`${answer.statusCode}: ${text}`);
  return (JSON.parse(text) as { id: string }).id;
}

export async function documentOf({ port }: Service, id: string, query = 'format=pdf'): Promise<IncomingMessage> {
  const answer = await ask({ port, path: `/api/scans/${id}/document?${query}` });
  if (answer.statusCode === 200) return answer;
  throw new Error(`${answer.statusCode}: ${(await answer.setEncoding('utf8').toArray()).join('')}`);
}

/** Reads it to its end. @throws if it breaks off */
async function bytesOf(answer: IncomingMessage): Promise<{ readonly length: number }> {
  let length = 0;
  for await (const chunk of answer) length += (chunk as Buffer).length;
  if (!answer.complete) throw new Error('The document broke off.');
  return { length };
}
