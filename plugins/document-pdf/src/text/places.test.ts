/** The invisible text as poppler finds it: each word in its place, however the page is turned, in few bytes. */
import { readFileSync } from 'node:fs';
import { deflateSync } from 'node:zlib';
import { fileURLToPath } from 'node:url';
import { drawnWords, needs, pdfWords, shareInPlace, turnedWords } from '@platen/conformance';
import { type Turn, type Word, turns } from '@platen/core/plugin';

import sharp from 'sharp';
import t, { type Test } from 'tap';
import { checkedFile, pageOf, pdfOf, run } from '../pages.test.kit.js';
import { textContent } from './content.js';

/** A4 at 300 dpi, 650 words in twelve points. */
const report = fileURLToPath(new URL('../../../ocr/samples/report', import.meta.url));
const text = readFileSync(`${report}.txt`, 'utf8').trim();
const paper = { width: 2480, height: 3508, dpi: 300 };
const pixels = await sharp(`${report}.png`).toColourspace('b-w').raw().toBuffer();
const words = drawnWords(
  { ...paper, kind: 'raw', sheet: 1, side: 'front', pixels: 'gray8', stride: paper.width, data: pixels },
  text,
);

type Box = [x: number, y: number, width: number, height: number];

interface Given {
  readonly turned?: readonly Turn[];
  readonly on?: typeof paper;
}

const white = new Map<number, Promise<Buffer>>();

/** White pages with the words, one for each turn. */
async function written(t: Test, shown: readonly Word[], { turned = [0], on = paper }: Given = {}): Promise<string> {
  const { width, height, dpi } = on;
  let drawn = white.get(width);
  if (!drawn) {
    const image = sharp({ create: { width, height, channels: 3, background: '#fff' } });
    white.set(width, (drawn = image.toColourspace('b-w').jpeg().toBuffer()));
  }
  const file = await drawn;
  const each = turned.map((turn, at) => pageOf(file, { pageNumber: at + 1, dpi, turn, words: shown }));
  return checkedFile(t.testdir(), await pdfOf(await Promise.all(each)));
}

const asLine = (printed: string): string => printed.replace(/\s+/g, ' ').trim();

if (needs(t, 'qpdf') && needs(t, 'pdftotext')) {
  t.test('a page of 650 words in four turns: 99% in their places', async t => {
    const found = await pdfWords(await written(t, words, { turned: turns }));
    for (const [at, turn] of turns.entries()) {
      const share = shareInPlace(found[at]!, turnedWords(words, paper, turn));
      t.ok(share >= 0.99, `turned by ${turn}: ${share}`);
      t.equal(found[at]!.length, words.length);
    }
  });

  t.test('a page of 650 words: the text in its order, with its spaces', async t => {
    const file = await written(t, words);
    for (const options of [[], ['-layout'], ['-raw']])
      t.equal(asLine(await run('pdftotext', [...options, file, '-'])), asLine(text), options.join(''));
  });

  t.test('pages of other resolutions: words in their places', async t => {
    for (const dpi of [75, 400]) {
      const scale = dpi / paper.dpi;
      const on = { width: Math.round(paper.width * scale), height: Math.round(paper.height * scale), dpi };
      const scaled = words.map(word => {
        const [x, y, width, height] = [word.x, word.y, word.width, word.height].map(each => each * scale) as Box;
        return { ...word, x, y, width, height };
      });
      const [found] = await pdfWords(await written(t, scaled, { on }));
      t.ok(shareInPlace(found!, turnedWords(scaled, on, 0)) >= 0.99, `${dpi} dpi`);
    }
  });

  t.test('lines that slope: the same words, in their places', async t => {
    const sloping = words.map(word => ({ ...word, y: word.y + (word.x + word.width / 2) * 0.02 }));
    const file = await written(t, sloping);
    t.equal(asLine(await run('pdftotext', [file, '-'])), asLine(text));
    const share = shareInPlace((await pdfWords(file))[0]!, turnedWords(sloping, paper, 0));
    t.ok(share >= 0.98, String(share));
  });

  t.test('two columns: lines of one do not go on in the other', async t => {
    const note = words.filter(({ line }) => line > 0 && line < 11);
    const half = 0.45;
    const column = (from: number, first: number): Word[] =>
      note.map(({ line, ...word }) => {
        const [x, y, width, height] = [word.x, word.y, word.width, word.height].map(each => each * half) as Box;
        return { ...word, x: from + x, y, width, height, line: first + line };
      });
    const file = await written(t, [...column(0, 0), ...column(paper.width / 2, 100)]);
    const wanted = text
      .split('\n')
      .filter(line => line !== '')
      .slice(1, 11);
    const printed = (await run('pdftotext', [file, '-'])).split(/[\n\f]+/).filter(Boolean);
    t.same(printed.sort(), [...wanted, ...wanted].sort());
  });

  t.test('letters of other widths than the font: words in their places', async t => {
    // As a typewriter: every letter is as wide.
    const typed = (pitch: number): Word[] => {
      let [at, last] = [200, -1];
      return words
        .filter(({ line }) => line < 20)
        .map(word => {
          if (word.line !== last) [at, last] = [200, word.line];
          const placed = { ...word, x: at, width: word.text.length * pitch };
          at += placed.width + pitch;
          return placed;
        });
    };
    for (const pitch of [16, 24]) {
      const placed = typed(pitch);
      const file = await written(t, placed);
      const share = shareInPlace((await pdfWords(file))[0]!, turnedWords(placed, paper, 0));
      t.ok(share >= 0.98, `${pitch} pixels: ${share}`);
      t.equal(asLine(await run('pdftotext', [file, '-'])), placed.map(each => each.text).join(' '));
    }
  });

  t.test('the columns of a table: words in their places', async t => {
    const cells = ['Item', 'Amount', 'a', '12.50', 'i', '1,000.00'].map((cell, at) => ({
      text: cell,
      confidence: 1,
      x: 300 + (at % 2) * 1400,
      y: 300 + Math.floor(at / 2) * 70,
      width: cell.length * 20,
      height: 34,
      line: Math.floor(at / 2),
    }));
    const found = (await pdfWords(await written(t, cells)))[0]!;
    t.equal(shareInPlace(found, turnedWords(cells, paper, 0)), 1);
  });
}

t.test('a page of 650 words: at most 3 KB', async t => {
  const size = (shown: readonly Word[]): number => {
    const content = textContent(shown, paper, { bottom: 0, perPixel: 0.24 }, () => []);
    return deflateSync(Buffer.from(content?.operators ?? '', 'latin1'), { level: 9 }).length;
  };
  t.ok(size(words) <= 2200, `${size(words)} bytes`);
  // The noise of a recogniser: up to 2 pixels on each side.
  const noise = (at: number): number => ((at * 7919) % 5) - 2;
  const noisy = words.map((word, at) => ({ ...word, x: word.x + noise(at), width: word.width + noise(at + 3) }));
  t.ok(size(noisy) <= 3000, `${size(noisy)} bytes with noise`);
});
