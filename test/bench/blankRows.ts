/** Blank pages: what the recogniser gets wrong on the drawn sets, and milliseconds a page. */
import { nullLog, type BlankRecogniser, type RawPage } from '@platen/core/plugin';
import blankPages from '@platen/blank-pages';
import { pageSet, sets, type SetName } from '@platen/blank-pages/testing';
import { spell, spreadOf, table, verdict } from './numbers.js';

const call = { signal: new AbortController().signal };
const WANTED_MS = 25;
const WANTED_FOUND = 0.97;
const ROUNDS = 15;
const WARM_UP = 4;

export async function blankRows(
  _folder: string,
  _files: readonly string[],
  say: (line: string) => void,
): Promise<string> {
  const { recognisers = [], close } = await blankPages.setup({ options: {}, log: nullLog, dataDir: '/' });
  const recogniser = recognisers.find((each): each is BlankRecogniser => each.kind === 'blank');
  if (!recogniser) throw new Error('the plugin contributes no recogniser of blank pages');
  try {
    const counts = [];
    for (const name of Object.keys(sets) as SetName[]) counts.push(await countsOf(name, recogniser, say));
    const head = ['set', 'blank, found', 'wanted', 'with content, called blank', 'wanted'];
    return [table(head, counts), await timesOf(recogniser, say)].join('\n\n');
  } finally {
    await close?.();
  }
}

async function countsOf(name: SetName, recogniser: BlankRecogniser, say: (line: string) => void): Promise<string[]> {
  const pages = pageSet(name);
  let [blank, found, dropped] = [0, 0, 0];
  for (const page of pages) {
    const { isBlank, why } = await recogniser.read(await page.draw(), {}, call);
    if (page.isBlank) blank++;
    if (page.isBlank && isBlank) found++;
    if (!page.isBlank && isBlank) dropped++;
    if (isBlank !== page.isBlank) say(`${name}: ${page.kind}, seed ${page.seed}: ${why}`);
  }
  return [
    name,
    `${found} of ${blank}`,
    verdict('≥', found / blank, WANTED_FOUND),
    `${dropped} of ${pages.length - blank}`,
    dropped === 0 ? '0: met' : '0: missed',
  ];
}

async function timesOf(recogniser: BlankRecogniser, say: (line: string) => void): Promise<string> {
  const rows: string[][] = [];
  for (const kind of ['paper', 'ruled or squared', 'shining through', 'signature'] as const) {
    const page = await wholePage(kind);
    const times: number[] = [];
    for (let round = 0; round < ROUNDS + WARM_UP; round++) {
      const began = performance.now();
      await recogniser.read(page, {}, call);
      if (round >= WARM_UP) times.push(performance.now() - began);
    }
    const spread = spreadOf(times);
    rows.push([kind, page.pixels, spell(spread), verdict('≤', spread.median, WANTED_MS, 0)]);
    say(rows.at(-1)!.join(', '));
  }
  return table(['A4, 300 dpi', 'pixels', 'ms a page, one at a time', 'wanted'], rows);
}

/** The first page of the kind that is large: A4 at 300 dpi. */
async function wholePage(kind: string): Promise<RawPage> {
  for (const each of pageSet('tuned').filter(page => page.kind === kind)) {
    const page = await each.draw();
    if (page.dpi === 300 && page.width * page.height > 8_000_000 && page.pixels !== 'bw1') return page;
  }
  throw new Error(`no page of ${kind} is A4 at 300 dpi`);
}
