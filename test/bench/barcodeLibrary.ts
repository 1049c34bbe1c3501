/** The library that the plugin uses, at its defaults, beside the plugin: what each reads of the same pictures. */
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import {
  filterLevels,
  type Barcode,
  type BarcodeRecogniser,
  type FilterLevel,
  type RawPage,
} from '@platen/core/plugin';
import { prepareZXingModule, readBarcodes } from 'zxing-wasm/reader';
import { linear, sameText } from './barcodePages.js';
import { openReader } from './barcodeReader.js';
import { draw, pagesOf, samples, type Sample } from './barcodeSamples.js';
import { table } from './numbers.js';

const wasm = readFileSync(fileURLToPath(import.meta.resolve('zxing-wasm/reader/zxing_reader.wasm')));
prepareZXingModule({ overrides: { wasmBinary: new Uint8Array(wasm).buffer } });

/** Of a grey page; the texts that the library finds by itself, of every symbology that it knows. */
export async function bareRead({ width, height, data }: RawPage): Promise<string[]> {
  const pixels = new Uint8ClampedArray(width * height * 4).fill(255);
  for (let i = 0; i < width * height; i++) pixels.fill(data[i]!, i * 4, i * 4 + 3);
  return (
    await readBarcodes({ data: pixels, width, height, colorSpace: 'srgb' } as Parameters<typeof readBarcodes>[0])
  ).map(({ text }) => text);
}

/** At which level nothing may be missed that the library reads. */
export function levelOf({ symbology }: Sample): FilterLevel {
  return linear(symbology) ? 'Low' : 'Normal';
}

/** What one picture is in one count. */
interface Outcome {
  readonly sample: Sample;
  readonly library: boolean;
  readonly ours: Readonly<Record<FilterLevel, boolean>>;
}

interface Wrong {
  readonly library: number;
  readonly ours: Readonly<Record<FilterLevel, number>>;
}

interface Taken {
  readonly outcomes: readonly Outcome[];
  readonly wrong: Wrong;
  readonly libraryMs: number;
  readonly oursMs: number;
}

export async function barcodeLibrary(say: (line: string) => void): Promise<string> {
  const { reader, close } = await openReader(1);
  try {
    const pictures: Taken[] = [];
    for (const sample of samples()) pictures.push(await take(reader, await draw(sample), [sample]));
    say(`${pictures.length} pictures read by both`);
    const pages: Taken[] = [];
    // Codes as large as half a page are among the pictures instead; and the one UPC-E can be on a page only once.
    const small = samples(2).filter(
      ({ hardship, symbology }) => hardship !== 'uneven light, large' && symbology !== 'UpcE',
    );
    for await (const { page, truth } of pagesOf(small)) pages.push(await take(reader, page, truth));
    say(`${pages.length} pages read by both`);
    return [codeTable(pictures, pages), wrongTable({ pictures, pages })].join('\n\n');
  } finally {
    await close();
  }
}

async function take(reader: BarcodeRecogniser, page: RawPage, truth: readonly Sample[]): Promise<Taken> {
  const began = performance.now();
  const library = await bareRead(page);
  const between = performance.now();
  const found = await reader.read(
    page,
    { filterLevel: 'Normal', formats: [], stopAfterFirst: false },
    { signal: new AbortController().signal },
  );
  const oursMs = performance.now() - between;
  const at: Record<FilterLevel, readonly Barcode[]> = { Low: [], Normal: found, High: [], VeryHigh: [] };
  for (const filterLevel of ['Low', 'High', 'VeryHigh'] as const)
    at[filterLevel] = await reader.read(
      page,
      { filterLevel, formats: [], stopAfterFirst: false },
      { signal: new AbortController().signal },
    );
  const perLevel = <T>(of: (texts: readonly string[]) => T): Record<FilterLevel, T> =>
    Object.fromEntries(filterLevels.map(level => [level, of(at[level].map(({ text }) => text))])) as Record<
      FilterLevel,
      T
    >;
  const wrong = (texts: readonly string[]): number =>
    texts.filter(text => !truth.some(each => sameText(text, each))).length;
  return {
    outcomes: truth.map(sample => {
      const has = (texts: readonly string[]): boolean => texts.some(text => sameText(text, sample));
      return { sample, library: has(library), ours: perLevel(has) };
    }),
    wrong: { library: wrong(library), ours: perLevel(wrong) },
    libraryMs: between - began,
    oursMs,
  };
}

function codeTable(pictures: readonly Taken[], pages: readonly Taken[]): string {
  const all = pictures.flatMap(({ outcomes }) => outcomes);
  const onPages = pages.flatMap(({ outcomes }) => outcomes);
  const rows = [false, true].flatMap(lines => {
    const kind = lines ? 'linear' : 'matrix, PDF417';
    const of = (outcomes: readonly Outcome[]): Outcome[] =>
      outcomes.filter(({ sample }) => linear(sample.symbology) === lines);
    const hardships = [...new Set(all.map(({ sample }) => sample.hardship))];
    return [
      ...hardships.map(hardship =>
        row(
          `${kind}: ${hardship}`,
          of(all).filter(({ sample }) => sample.hardship === hardship),
        ),
      ),
      row(`**${kind}, all pictures**`, of(all)),
      row(`**${kind}, on A4 pages at 300 dpi**`, of(onPages)),
    ];
  });
  return table(['pictures', 'codes', 'library', ...filterLevels, 'both', 'only the library', 'only ours'], rows);
}

/** The last three at the level that is promised. */
function row(title: string, outcomes: readonly Outcome[]): string[] {
  const count = (holds: (each: Outcome) => boolean): string => `${outcomes.filter(holds).length}`;
  const ours = (each: Outcome): boolean => each.ours[levelOf(each.sample)];
  return [
    title,
    `${outcomes.length}`,
    count(({ library }) => library),
    ...filterLevels.map(level => count(each => each.ours[level])),
    count(each => each.library && ours(each)),
    count(each => each.library && !ours(each)),
    count(each => !each.library && ours(each)),
  ];
}

function wrongTable(sets: Readonly<Record<string, readonly Taken[]>>): string {
  const rows = Object.entries(sets).map(([title, taken]) => {
    const sum = (of: (each: Taken) => number): number => taken.reduce((total, each) => total + of(each), 0);
    const mean = (of: (each: Taken) => number): string => (sum(of) / taken.length).toFixed(0);
    return [
      `${taken.length} ${title}`,
      `${sum(({ wrong }) => wrong.library)}`,
      ...filterLevels.map(level => `${sum(({ wrong }) => wrong.ours[level])}`),
      mean(({ libraryMs }) => libraryMs),
      mean(({ oursMs }) => oursMs),
    ];
  });
  return table(['texts that are not there', 'library', ...filterLevels, 'library, ms each', 'ours, ms each'], rows);
}
