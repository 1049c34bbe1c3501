/** What is read from a page, beside the programs that read it from a file. */
import { mkdtemp, readFile } from 'node:fs/promises';
import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { drawCases, look, type Side } from '../barcodeRows.js';
import { openReader } from '../barcodeReader.js';
import { drawing, drawSheet, openEngines, type Sheet } from '../ocrRows.js';
import { alternate } from '../rounds.js';
import type { Group, Plan } from './row.js';

const cores = availableParallelism();

const text = (engine: string, value: number): Plan => ({
  what: `Text of A4 pages of 650 words, 300 dpi, grey, ${cores} at a time: engine \`${engine}\``,
  peer: '`tesseract`',
  unit: 'pages/min',
  digits: 1,
  wanted: { sign: '≥', value },
  checked: '98 % of the words',
});

export const ocr: Group<'native' | 'wasm'> = {
  needs: ['tesseract'],
  rows: { native: text('native', 0.95), wasm: text('wasm', 0.5) },
  async measure({ folder, say }) {
    const own = await mkdtemp(join(folder, 'ocr-'));
    const sheets: Sheet[] = [];
    for (let number = 0; number < cores; number++) sheets.push(await drawSheet(own, number));
    const { sides, close } = await openEngines(own, cores, sheets, await readFile(`${drawing}.txt`, 'utf8'));
    try {
      const pages = async (side: keyof typeof sides): Promise<number> => (await sides[side]()).perMinute;
      const { native, wasm, program } = await alternate(
        { native: () => pages('native'), program: () => pages('program'), wasm: () => pages('wasm') },
        { rounds: 3, title: 'text, pages/min', digits: 1, say },
      );
      return { native: { ours: native, theirs: program }, wasm: { ours: wasm, theirs: program } };
    } finally {
      await close();
    }
  },
};

const codes = (what: string, value: number): Plan => ({
  what: `Barcodes of 5 A4 pages, 300 dpi, grey, one thread: ${what}`,
  peer: '`zbarimg`',
  unit: 'ms',
  wanted: { sign: '≤', value },
  checked: 'texts',
});

export const barcodes: Group<'every' | 'code128'> = {
  needs: ['zbarimg'],
  rows: {
    every: { ...codes('all 13 symbologies', 0.6), checked: 'all 33 texts' },
    code128: codes('Code 128 alone', 0.25),
  },
  async measure({ folder, say }) {
    const cases = await drawCases(folder);
    const { reader, close } = await openReader(1);
    const all = async (side: Side): Promise<number> => {
      let sum = 0;
      for (const each of cases) {
        const { ms, found } = await look(side, each, reader);
        const expected = side === 'every' ? each.truth : each.truth.filter(code => code.symbology === 'Code128');
        if (side !== 'program' && found !== expected.length)
          throw new Error(`${each.title}: ${side} found ${found} of ${expected.length} codes.`);
        sum += ms;
      }
      return sum;
    };
    try {
      const { every, code128, program } = await alternate(
        { every: () => all('every'), program: () => all('program'), code128: () => all('code128') },
        { rounds: 3, title: 'barcodes of 5 pages, ms', say },
      );
      return { every: { ours: every, theirs: program }, code128: { ours: code128, theirs: program } };
    } finally {
      await close();
    }
  },
};
