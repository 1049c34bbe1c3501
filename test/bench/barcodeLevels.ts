/** What each filter level keeps: of codes that are there, on pages of every kind, and of what is none. */
import { availableParallelism } from 'node:os';
import { filterLevels, type BarcodeRecogniser, type FilterLevel, type RawPage } from '@platen/core/plugin';
import { codeless, codelessPage, codePage, type Codeless, type Look, type Truth } from './barcodePages.js';
import { openReader } from './barcodeReader.js';
import { table } from './numbers.js';

/** Pages with all thirteen, two of each look. */
const looks: Readonly<Record<string, Look>> = {
  '300 dpi': { dpi: 300 },
  '300 dpi, 1-bit': { dpi: 300, bilevel: true, grain: 8 },
  '200 dpi': { dpi: 200 },
  '200 dpi, 1-bit': { dpi: 200, bilevel: true, grain: 8 },
  '600 dpi': { dpi: 600, grain: 4 },
  'askew by 5°, 300 dpi': { dpi: 300, skew: 5 },
  'askew by 5°, 200 dpi': { dpi: 200, skew: -5 },
  'sideways, 300 dpi': { dpi: 300, turn: 90 },
  'at any angle, 300 dpi': { dpi: 300, turn: 'any' },
  'light on dark, 300 dpi': { dpi: 300, ink: '#fff', ground: '#000' },
  'on a tint, 300 dpi': { dpi: 300, ink: '#444', ground: '#bbb' },
  'faded, 300 dpi': { dpi: 300, black: 150, white: 205, grain: 6 },
  'strong grain, 300 dpi': { dpi: 300, black: 40, white: 225, grain: 20 },
};

/** Of each kind without codes, at each resolution, half of them 1-bit. */
const PAGES = 12;
const resolutions = [150, 200, 300, 600] as const;
/** Large ones take four times as long. */
const PAGES_AT_600 = 4;

type Counts = Record<FilterLevel, number>;
const zero = (): Counts => ({ Low: 0, Normal: 0, High: 0, VeryHigh: 0 });

export async function barcodeLevels(say: (line: string) => void): Promise<string> {
  const { reader, close } = await openReader(availableParallelism());
  try {
    return [await truthTable(reader, say), await falseTable(reader, say)].join('\n\n');
  } finally {
    await close();
  }
}

async function truthTable(reader: BarcodeRecogniser, say: (line: string) => void): Promise<string> {
  const rows: string[][] = [];
  for (const [title, look] of Object.entries(looks)) {
    const [kept, corrected, wrong] = [zero(), zero(), zero()];
    let [total, withCorrection] = [0, 0];
    for (const seed of [11, 12]) {
      const { page, truth } = await codePage(seed, look);
      total += truth.length;
      withCorrection += truth.filter(isCorrected).length;
      await each(reader, page, (level, texts) => {
        const found = truth.filter(({ text }) => texts.includes(text));
        kept[level] += found.length;
        corrected[level] += found.filter(isCorrected).length;
        wrong[level] += texts.filter(text => truth.every(known => known.text !== text)).length;
      });
    }
    rows.push([
      title,
      `${total}`,
      ...filterLevels.map(level => `${kept[level]}${wrong[level] ? ` (${wrong[level]} wrong)` : ''}`),
      `${corrected.VeryHigh} of ${withCorrection}`,
    ]);
    say(rows.at(-1)!.join(', '));
  }
  return table(['pages with codes', 'codes', ...filterLevels, 'with error correction, at VeryHigh'], rows);
}

async function falseTable(reader: BarcodeRecogniser, say: (line: string) => void): Promise<string> {
  const rows: string[][] = [];
  for (const kind of Object.keys(codeless) as Codeless[]) {
    const seen = zero();
    let pages = 0;
    for (const dpi of resolutions) {
      for (let n = 0; n < (dpi === 600 ? PAGES_AT_600 : PAGES); n++, pages++) {
        const page = await codelessPage(kind, dpi + n, { dpi, bilevel: n % 2 === 1 });
        await each(reader, page, (level, texts) => (seen[level] += texts.length));
      }
    }
    rows.push([`${pages} pages of ${kind}`, ...filterLevels.map(level => `${seen[level]}`)]);
    say(rows.at(-1)!.join(', '));
  }
  return table(['codes read where there are none', ...filterLevels], rows);
}

async function each(
  reader: BarcodeRecogniser,
  page: RawPage,
  note: (level: FilterLevel, texts: string[]) => void,
): Promise<void> {
  const call = { signal: new AbortController().signal };
  await Promise.all(
    filterLevels.map(async filterLevel => {
      const found = await reader.read(page, { filterLevel, formats: [], stopAfterFirst: false }, call);
      note(
        filterLevel,
        found.map(({ text }) => text),
      );
    }),
  );
}

function isCorrected({ symbology }: Truth): boolean {
  return ['QrCode', 'DataMatrix', 'Aztec', 'Pdf417'].includes(symbology);
}
