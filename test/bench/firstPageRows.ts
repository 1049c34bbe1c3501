/** How long a page takes from the driver to the client of a scan that goes on. */
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { BareTaking, BareTask } from './bare.js';
import type { FetchTaking, FetchTask } from './fetcher.js';
import { startHelper } from './helper.js';
import { spell, spreadOf, table, verdict, type Spread } from './numbers.js';
import { PACED, pacedPlugin, type PacedOptions } from './plugin/paced.js';
import { startServiceWith } from './service.js';
import { sheet } from './sheets.js';

const PAGES = 10;
/** A fast office scanner: 60 pages a minute. No page waits for another one. */
const MS_PER_PAGE = 1000;
const WANTED_MS = 30;

/** First pages of scans whose driver takes no time. */
export interface FirstPages {
  readonly title: string;
  readonly ms: readonly number[];
}

/** @param firsts of the speed's rounds */
export async function firstPageRows(
  folder: string,
  files: readonly string[],
  firsts: readonly FirstPages[],
  say: (line: string) => void,
): Promise<string> {
  const rows: string[][] = [];
  for (const imageFormat of ['Jpeg', 'Png'] as const) {
    const name = imageFormat.toUpperCase();
    const alone = spreadOf(await encoderAlone(files, imageFormat));
    const row = (title: string, ms: Spread, judged: boolean): string[] => {
      const added = ms.median - alone.median;
      return [title, spell(ms), spell(alone), added.toFixed(0), judged ? verdict('≤', added, WANTED_MS, 0) : ''];
    };
    const [first = NaN, ...others] = await pacedPages(folder, files, imageFormat);
    const paced = spreadOf([first, ...others]);
    say(`${name}, a page a second: page 1 after ${first.toFixed(0)} ms, all ${spell(paced)} ms`);
    rows.push(row(`${name}, a page a second, all ${PAGES}`, paced, true));
    for (const { title, ms } of firsts.filter(each => each.title.startsWith(name)))
      rows.push(row(`${title}: page 1 of those above`, spreadOf(ms), false));
  }
  return table(['driver’s last byte to the client’s', 'ms', 'encoder alone, ms', 'added, ms', 'wanted'], rows);
}

/** @returns for each page, milliseconds from the driver's last byte to the client's */
async function pacedPages(
  folder: string,
  files: readonly string[],
  imageFormat: FetchTask['imageFormat'],
): Promise<number[]> {
  const [go, log] = [join(folder, 'go'), join(folder, `fed-${imageFormat}`)];
  await writeFile(go, '');
  const { width, height, dpi } = sheet;
  const options: PacedOptions = { files, width, height, dpi, sheets: PAGES, msPerPage: MS_PER_PAGE, go, log };
  const service = await startServiceWith(folder, { use: pacedPlugin, options });
  const helper = startHelper<FetchTask, FetchTaking>('fetcher');
  try {
    const { at } = await helper.run({
      port: service.port,
      scannerName: PACED,
      imageFormat,
      pages: PAGES,
      check: false,
    });
    const fed = (await readFile(log, 'utf8')).trim().split('\n').map(BigInt);
    return at.map((time, index) => Number(BigInt(time) - (fed[index] ?? 0n)) / 1e6);
  } finally {
    helper.end();
    await service.stop();
  }
}

/** One page at a time. */
export async function encoderAlone(files: readonly string[], imageFormat: BareTask['imageFormat']): Promise<number[]> {
  const times: number[] = [];
  for (const file of files.slice(0, 5)) {
    const bare = startHelper<BareTask, BareTaking>('bare');
    await bare.run({ imageFormat, files: [file] });
    times.push((await bare.run({ imageFormat, files: [file] })).ms);
    bare.end();
  }
  return times;
}
