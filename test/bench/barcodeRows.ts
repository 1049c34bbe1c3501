/**
 * Milliseconds and symbologies found a page, against the program `zbarimg` on the same pages; then what the filter
 * levels keep, and the library alone.
 */
import { execFile } from 'node:child_process';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import type { BarcodeRecogniser, BarcodeWishes, RawPage } from '@platen/core/plugin';
import { barcodeLevels } from './barcodeLevels.js';
import { barcodeLibrary } from './barcodeLibrary.js';
import { codelessPage, codePage, sameText, type Truth } from './barcodePages.js';
import { openReader } from './barcodeReader.js';
import { spell, spreadOf, table } from './numbers.js';

const wanted = { every: 0.6, one: 0.25 } as const;
/** An odd number, so that the median is one of them. */
const ROUNDS = 7;
/** Of one page in one run of the program, so that its start weighs little. */
const COPIES = 3;

const every: BarcodeWishes = { filterLevel: 'Normal', formats: [], stopAfterFirst: false };
const sides = {
  program: [],
  every,
  first: { ...every, stopAfterFirst: true },
  qr: { ...every, formats: ['QrCode'] },
  code128: { ...every, formats: ['Code128'] },
} as const satisfies Record<string, BarcodeWishes | readonly never[]>;
export type Side = keyof typeof sides;

export interface Case {
  readonly title: string;
  /** The page for the program, uncompressed. */
  readonly file: string;
  readonly page: RawPage;
  readonly truth: readonly Truth[];
}

export async function barcodeRows(
  folder: string,
  _files: readonly string[],
  say: (line: string) => void,
): Promise<string> {
  say('drawing pages with barcodes');
  const cases = await drawCases(folder);
  const { reader, close } = await openReader(1);
  try {
    const rows: string[][] = [];
    const all: Record<Side, number>[] = [];
    for (const each of cases) {
      const { times, row } = await rowOf(each, reader);
      say(row.join(', '));
      rows.push(row);
      all.push(times);
    }
    const sum = (side: Side): number => all.reduce((total, each) => total + each[side], 0);
    const ratio = (side: Side): string => (sum(side) / sum('program')).toFixed(2);
    const verdict = (side: Side, most: number): string =>
      `${ratio(side)}, wanted ≤ ${most}: ${sum(side) / sum('program') <= most ? 'met' : 'missed'}`;
    rows.push([
      '**all together, of the program’s time**',
      '',
      '',
      verdict('every', wanted.every),
      '',
      verdict('qr', wanted.one),
      verdict('code128', wanted.one),
      ratio('first'),
    ]);
    const head = [
      'A4, 300 dpi, grey',
      '`zbarimg`, ms',
      'found',
      'every symbology, ms',
      'found',
      'QR alone, ms',
      'Code 128 alone, ms',
      'the first one, ms',
    ];
    return [table(head, rows), await barcodeLevels(say), await barcodeLibrary(say)].join('\n\n');
  } finally {
    await close();
  }
}

/** Pages of grey, with what their codes say. */
export async function drawCases(folder: string): Promise<Case[]> {
  const drawn = [
    { title: 'all 13, little grain', ...(await codePage(1, { dpi: 300, grain: 1.5 })) },
    { title: 'all 13, grain', ...(await codePage(2, { dpi: 300, grain: 6 })) },
    { title: '7 of them sideways', ...(await codePage(3, { dpi: 300, turn: 90 })) },
    { title: 'text alone', page: await codelessPage('text', 4, { dpi: 300, skew: 0 }), truth: [] },
    { title: 'a photograph', page: await codelessPage('photos', 5, { dpi: 300, skew: 0 }), truth: [] },
  ];
  return Promise.all(
    drawn.map(async (each, at) => {
      const { width, height, data } = each.page;
      const file = join(folder, `barcodes-${at}.pgm`);
      await writeFile(file, Buffer.concat([Buffer.from(`P5\n${width} ${height}\n255\n`), data]));
      return { ...each, file };
    }),
  );
}

/** One side's look at a page: milliseconds, and how many of its codes it found. */
export async function look(
  side: Side,
  { page, file, truth }: Case,
  reader: BarcodeRecogniser,
): Promise<{ readonly ms: number; readonly found: number }> {
  const from = performance.now();
  const call = { signal: new AbortController().signal };
  const seen =
    side === 'program' ? await program(file) : (await reader.read(page, sides[side], call)).map(({ text }) => text);
  const ms = (performance.now() - from) / (side === 'program' ? COPIES : 1);
  return { ms, found: truth.filter(each => seen.some(text => sameText(text, each))).length };
}

async function rowOf(each: Case, reader: BarcodeRecogniser): Promise<{ times: Record<Side, number>; row: string[] }> {
  const names = Object.keys(sides) as Side[];
  const takings: Record<Side, number[]> = { program: [], every: [], first: [], qr: [], code128: [] };
  const found: Record<string, number> = {};
  for (let round = 0; round <= ROUNDS; round++) {
    for (const side of round % 2 ? names : [...names].reverse()) {
      const looked = await look(side, each, reader);
      // The first round warms up.
      if (round > 0) takings[side].push(looked.ms);
      found[side] = looked.found;
    }
  }
  const spreads = names.map(side => [side, spreadOf(takings[side])] as const);
  const times = Object.fromEntries(spreads.map(([side, { median }]) => [side, median])) as Record<Side, number>;
  const cell = Object.fromEntries(spreads.map(([side, spread]) => [side, spell(spread)])) as Record<Side, string>;
  return {
    times,
    row: [
      each.title,
      cell.program,
      `${found['program']}`,
      cell.every,
      `${found['every']} of ${each.truth.length}`,
      cell.qr,
      cell.code128,
      cell.first,
    ],
  };
}

/** One thread, every symbology that it knows of by default. */
async function program(file: string): Promise<string[]> {
  // It ends with 4 when a page has no code.
  const { stdout } = await promisify(execFile)('zbarimg', [
    '--nodbus',
    '--quiet',
    '--raw',
    ...Array<string>(COPIES).fill(file),
  ]).catch((error: unknown) => {
    if ((error as { code?: unknown }).code === 4) return { stdout: '' };
    throw error;
  });
  return stdout.split('\n');
}
