/** Whatever the bare library reads of many mixed pictures, and whether the plugin reads it at the level that is promised. */
import type { RawPage } from '@platen/core/plugin';
import { bareRead, levelOf } from './barcodeLibrary.js';
import { linear, sameText } from './barcodePages.js';
import { openReader } from './barcodeReader.js';
import { draw, mixedSamples, pagesOf, type Sample } from './barcodeSamples.js';
import { table } from './numbers.js';

/** PLATEN_BENCH_SEED takes another one. */
const SEED = Number(process.env['PLATEN_BENCH_SEED'] ?? 1_000_000);
const PICTURES = 1300;
/** On A4 pages at 300 dpi, about ten on each. */
const ON_PAGES = 260;

interface Counted {
  readonly sample: Sample;
  readonly library: boolean;
  readonly ours: boolean;
}

export async function codeRows(
  _folder: string,
  _files: readonly string[],
  say: (line: string) => void,
): Promise<string> {
  const { reader, close } = await openReader(1);
  try {
    const compare = async (page: RawPage, truth: readonly Sample[]): Promise<Counted[]> => {
      const library = await bareRead(page);
      const { signal } = new AbortController();
      const at = async (filterLevel: 'Low' | 'Normal'): Promise<string[]> =>
        (await reader.read(page, { filterLevel, formats: [], stopAfterFirst: false }, { signal })).map(
          ({ text }) => text,
        );
      const levels = new Set(truth.map(levelOf));
      const ours = {
        Low: levels.has('Low') ? await at('Low') : [],
        Normal: levels.has('Normal') ? await at('Normal') : [],
      };
      return truth.map(sample => ({
        sample,
        library: library.some(text => sameText(text, sample)),
        ours: ours[levelOf(sample) as 'Low' | 'Normal'].some(text => sameText(text, sample)),
      }));
    };
    const pictures: Counted[] = [];
    for (const sample of mixedSamples(SEED, PICTURES)) pictures.push(...(await compare(await draw(sample), [sample])));
    report('pictures', pictures, say);
    const pages: Counted[] = [];
    for await (const { page, truth } of pagesOf(
      mixedSamples(SEED + PICTURES, ON_PAGES, 'mixed, small').filter(isSingle),
    ))
      pages.push(...(await compare(page, truth)));
    report('pages', pages, say);
    return `${tableOf({ pictures, 'A4 pages, 300 dpi': pages })}\n\nSeed ${SEED}.`;
  } finally {
    await close();
  }
}

/** The one UPC-E can be on a page only once. */
const isSingle = ({ symbology }: Sample): boolean => symbology !== 'UpcE';

function report(what: string, counted: readonly Counted[], say: (line: string) => void): void {
  say(`${what}: ${counted.length} codes`);
  for (const { sample, library, ours } of counted)
    if (library && !ours) say(`only the library: ${sample.symbology} ${sample.seed}`);
}

function tableOf(sets: Readonly<Record<string, readonly Counted[]>>): string {
  const rows = Object.entries(sets).flatMap(([title, all]) =>
    [false, true].map(lines => {
      const counted = all.filter(({ sample }) => linear(sample.symbology) === lines);
      const count = (holds: (each: Counted) => boolean): number => counted.filter(holds).length;
      const lost = count(({ library, ours }) => library && !ours);
      return [
        `${title}: ${lines ? 'linear, at Low' : 'matrix and PDF417, at Normal'}`,
        `${counted.length}`,
        `${count(({ library }) => library)}`,
        `${count(({ ours }) => ours)}`,
        `${lost}`,
        `${count(({ library, ours }) => !library && ours)}`,
        `0: ${lost === 0 ? 'met' : 'missed'}`,
      ];
    }),
  );
  return table(
    ['mixed codes', 'codes', 'library', 'Platen', 'only the library', 'only Platen', 'wanted, only the library'],
    rows,
  );
}
