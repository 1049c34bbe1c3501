/** Patch codes and barcodes of separator sheets: those that are found, those that are invented, and milliseconds a page. */
import patchCodesPlugin from '@platen/patch-codes';
import { patchCodes, nullLog, type BarcodeWishes, type PatchRecogniser, type RawPage } from '@platen/core/plugin';
import { openReader } from './barcodeReader.js';
import { spell, spreadOf, table } from './numbers.js';
import { plainKinds, plainPage, scannedSheet } from './patchPages.js';

const SHEETS = 100;
const PLAIN = 400;
/** Of the sheets, in degrees. */
const MOST_SKEW = 5;
const DPI = 200;

const everything: BarcodeWishes = { filterLevel: 'Normal', formats: [], stopAfterFirst: false };
const call = { signal: new AbortController().signal };

interface Counts {
  pages: number;
  patches: number;
  barcodes: number;
  readonly patchMs: number[];
  readonly barcodeMs: number[];
}
const none = (): Counts => ({ pages: 0, patches: 0, barcodes: 0, patchMs: [], barcodeMs: [] });

export async function patchRows(
  _folder: string,
  _files: readonly string[],
  say: (line: string) => void,
): Promise<string> {
  const barcodes = await openReader(1);
  const patches = await openPatches();
  /** @param code @param text what counts: of a separator sheet its own, of other pages any patch, and the usual text */
  const judge = async (counts: Counts, page: RawPage, code: string | undefined, text: string): Promise<void> => {
    const [patch, patchMs] = await timed(() => patches.reader.read(page, {}, call));
    const [found, barcodeMs] = await timed(() => barcodes.reader.read(page, everything, call));
    counts.pages++;
    if (code === undefined ? patch !== undefined : patch === code) counts.patches++;
    if (found.some(each => each.text === text)) counts.barcodes++;
    counts.patchMs.push(patchMs);
    counts.barcodeMs.push(barcodeMs);
  };
  try {
    const rows: string[][] = [];
    for (const pixels of ['gray8', 'bw1'] as const) {
      say(`${SHEETS} separator sheets, ${pixels}`);
      const counts = none();
      for (let seed = 0; seed < SHEETS; seed++) {
        const code = patchCodes[seed % patchCodes.length]!;
        const text = seed % 2 ? 'PATCHT' : `INV-2026-${seed}`;
        const skew = MOST_SKEW * ((2 * seed) / (SHEETS - 1) - 1);
        const jpeg = pixels === 'gray8' ? { jpeg: 40 + (seed % 50) } : {};
        const look = { dpi: DPI, pixels, skew, quarters: 2 * (seed % 2), grain: 3 + (seed % 8), ...jpeg };
        const page = await scannedSheet({ patch: code, text, size: seed % 3 ? 'A4' : 'Letter' }, look, seed);
        await judge(counts, page, code, text);
      }
      rows.push(rowOf(`separator sheets, ${pixels === 'bw1' ? '1-bit' : 'grey'}`, counts, SHEETS));
    }
    for (const kind of plainKinds) {
      say(`pages without a code: ${kind}`);
      const counts = none();
      for (let seed = 0; seed < PLAIN / plainKinds.length; seed++) {
        const page = await plainPage(kind, 31 * seed + 7, { dpi: DPI, bilevel: seed % 2 === 1 });
        await judge(counts, page, undefined, 'PATCHT');
      }
      rows.push(rowOf(`no separator: ${kind}`, counts, 0));
    }
    const head = [
      `A4 and Letter, ${DPI} dpi`,
      'pages',
      'patch codes',
      'barcodes',
      'wanted',
      'patch, ms a page',
      'all barcodes, ms',
    ];
    return table(head, rows);
  } finally {
    await patches.close();
    await barcodes.close();
  }
}

function rowOf(title: string, { pages, patches, barcodes, patchMs, barcodeMs }: Counts, wanted: number): string[] {
  const met = patches === wanted && barcodes === wanted;
  const cells = [pages, patches, barcodes, `${wanted === 0 ? 'none' : 'all'}: ${met ? 'met' : 'missed'}`];
  return [title, ...cells.map(String), spell(spreadOf(patchMs)), spell(spreadOf(barcodeMs))];
}

async function timed<T>(doing: () => Promise<T>): Promise<[T, number]> {
  const from = performance.now();
  const result = await doing();
  return [result, performance.now() - from];
}

async function openPatches(): Promise<{ reader: PatchRecogniser; close(): Promise<void> }> {
  const { recognisers = [], close } = await patchCodesPlugin.setup({
    options: { workers: 1 },
    log: nullLog,
    dataDir: '/',
  });
  const reader = recognisers.find((each): each is PatchRecogniser => each.kind === 'patch');
  if (!reader) throw new Error('the plugin contributes no reader of patch codes');
  return { reader, close: async () => close?.() };
}
