/** A scan as one PDF, by the whole service: memory of a long one, its first byte, and kept pages against img2pdf. */
import { execFile } from 'node:child_process';
import { once } from 'node:events';
import { createWriteStream } from 'node:fs';
import { mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
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
import { alternate, timed } from './rounds.js';
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
  const { sides, sizes, close } = await openKept(folder, files, PAGES);
  try {
    const times = await alternate(sides, { rounds: TIME_ROUNDS, title: `${PAGES} kept pages as PDF, ms`, say });
    const [own, other] = [spreadOf(times.ours), spreadOf(times.theirs)];
    const { ours: size, theirs: otherSize } = await sizes();
    const [ratio, larger] = [own.median / other.median, size / otherSize];
    return table(
      [`${PAGES} kept A4 pages, 300 dpi, colour, JPEG, as PDF`, 'service', 'img2pdf', 'ratio', 'wanted'],
      [
        ['ms, over HTTPS to a file', spell(own), spell(other), ratio.toFixed(2), verdict('≤', ratio, TIME_WANTED)],
        ['bytes', String(size), String(otherSize), larger.toFixed(4), verdict('≤', larger, SIZE_WANTED)],
      ],
    );
  } finally {
    await close();
  }
}

export interface KeptPages {
  /** Milliseconds of a PDF: over HTTPS to a file, and by img2pdf from the same pages' files. */
  readonly sides: Readonly<Record<'ours' | 'theirs', () => Promise<number>>>;
  /** Bytes of the last PDFs. */
  sizes(): Promise<Readonly<Record<'ours' | 'theirs', number>>>;
  /** @throws unless the last PDFs both have the pages' files inside, byte by byte and in order; needs pdfimages */
  assertPages(): Promise<void>;
  close(): Promise<void>;
}

/** A service that has scanned and kept JPEG pages. */
export async function openKept(folder: string, files: readonly string[], pages: number): Promise<KeptPages> {
  const service = await startServiceWith(folder, stacksOf({ files, stacks: [pages], hold: false }), {
    plugins: [documents],
  });
  const id = await start(service, stackName(pages));
  // Until every page is stored.
  await bytesOf(await documentOf(service, id));
  const jpegs = await pagesOf(service, id, pages, await mkdtemp(join(folder, 'kept-')));
  const pdf = { ours: join(folder, 'ours.pdf'), theirs: join(folder, 'theirs.pdf') };
  const sizeOf = async (file: string): Promise<number> => (await stat(file)).size;
  return {
    sides: {
      ours: () => timed(async () => pipeline(await documentOf(service, id), createWriteStream(pdf.ours))),
      theirs: () => timed(() => run('img2pdf', [...jpegs, '-o', pdf.theirs])),
    },
    sizes: async () => ({ ours: await sizeOf(pdf.ours), theirs: await sizeOf(pdf.theirs) }),
    async assertPages() {
      for (const file of Object.values(pdf)) {
        const own = await mkdtemp(join(folder, 'images-'));
        await run('pdfimages', ['-all', file, join(own, 'image')]);
        const images = (await readdir(own)).sort();
        if (images.length !== pages) throw new Error(`${file} has ${images.length} pages.`);
        for (const [at, image] of images.entries())
          if (!(await readFile(join(own, image))).equals(await readFile(jpegs[at] ?? '')))
            throw new Error(`Page ${at + 1} of ${file} is not the one that was scanned.`);
        await rm(own, { recursive: true });
      }
    },
    async close() {
      await Promise.all([...Object.values(pdf), ...jpegs].map(file => rm(file, { force: true })));
      await service.stop();
    },
  };
}

/** Fetches a scan's pages. @returns their files, in order */
export async function pagesOf({ port }: Service, id: string, pages: number, into: string): Promise<string[]> {
  const agent = new Agent({ keepAlive: true });
  try {
    const files: string[] = [];
    for (let page = 1; page <= pages; page++) {
      const file = join(into, `${page}.jpg`);
      await pipeline(await ask({ port, path: `/api/scans/${id}/pages/${page}`, agent }), createWriteStream(file));
      files.push(file);
    }
    return files;
  } finally {
    agent.destroy();
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
