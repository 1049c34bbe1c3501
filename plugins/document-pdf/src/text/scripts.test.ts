/** The invisible text in every script: the same characters come out, and nothing breaks the file. */
import { needs } from '@platen/conformance';
import type { Word } from '@platen/core/plugin';
import sharp from 'sharp';
import t, { type Test } from 'tap';
import { checkedFile, objectsOf, pageOf, pdfOf, run } from '../pages.test.kit.js';

const paper = { width: 2400, height: 600 };
/** Pixels of a letter, and between words and lines. */
const [LETTER, GAP, LINE] = [22, 14, 70];
/** Marks that poppler puts around text in the other direction. */
const directions = /[\u202a-\u202e]/g;

/** @param from the edge at which the first word begins */
function wordsOf(lines: readonly (readonly string[])[], from: 'left' | 'right' = 'left'): Word[] {
  return lines.flatMap((texts, line) => {
    let at = 100;
    return texts.map(each => {
      const width = Math.min(each.length * LETTER, 2000);
      const x = from === 'left' ? at : paper.width - at - width;
      at += width + GAP;
      return { text: each, confidence: 0.9, x, y: 60 + line * LINE, width, height: 36, line };
    });
  });
}

const file = await sharp({ create: { ...paper, channels: 3, background: '#fff' } })
  .jpeg()
  .toBuffer();

async function written(t: Test, words: readonly Word[]): Promise<string> {
  return checkedFile(t.testdir(), await pdfOf([await pageOf(file, { dpi: 300, words })]));
}

async function printed(t: Test, words: readonly Word[], options: readonly string[] = []): Promise<string> {
  const file = await written(t, words);
  return (await run('pdftotext', [...options, file, '-'])).replace(directions, '').replace(/\s+/g, ' ').trim();
}

if (needs(t, 'qpdf') && needs(t, 'pdftotext')) {
  for (const [name, line] of Object.entries({
    western: 'Zürich €5 “quoted” naïve Œuvre ÿ ¿Qué? „so“ it’s ±5 ½ × 3 – 4 … ¦',
    'other Latin': 'Łódź Kőszeg čeština İstanbul Việt ſein',
    'Greek and Cyrillic': 'Ελλάδα Привет мир',
    'Indic and more': 'हिन्दी தமிழ் ქართული 한국어 문장',
    'combining marks': 'e\u0301cole n\u0303o a\u0323\u030a',
    ligatures: 'ﬁnd oﬃce ﬆ',
    'beyond the first 65,536': 'smile 😀 𠀋𠀌 x𝒳y 👩‍👩‍👧 😀',
    'brackets and backslashes': '(a) \\b\\ ))(( c\\( \\',
    // As bytes: carriage returns, line feeds, brackets and backslashes.
    'codes that need escapes': 'ഊഃ ഊഅ ᰨ⠩ ⡜尨 \u0d0d\u0a0a',
    'soft hyphen': 'soft\u00adhyphen',
  }))
    t.test(`${name}: the same characters`, async t => {
      t.equal(await printed(t, wordsOf([line.split(' ')]), ['-raw']), line);
    });

  t.test('scripts without spaces: none between their words, one before the others', async t => {
    const words = wordsOf([['日本語', 'の', 'テキスト', 'を', 'OCR', '読む', '。', '全文', '検索', 'でき', 'ます']]);
    for (const options of [[], ['-raw']])
      t.equal(await printed(t, words, options), '日本語のテキストを OCR 読む。全文検索できます');
  });

  t.test('from right to left: the words in their order, each with its letters in their order', async t => {
    for (const line of ['שלום עולם והנה שורה', 'مرحبا بالعالم هذا نص', 'مُحَمَّد كِتَابٌ'])
      t.equal(await printed(t, wordsOf([line.split(' ')], 'right')), line);
    // Poppler moves the space that is beside a number.
    const numbers = await printed(t, wordsOf([['מספר', '123', 'בשורה']], 'right'));
    t.equal(numbers.replaceAll(' ', ''), 'מספר123בשורה');
    t.equal(await printed(t, wordsOf([['The', 'word', 'שלום', 'means']]), ['-raw']), 'The word שלום means');
  });

  t.test('control characters, white space, half pairs: left out or replaced, without harm', async t => {
    const words = wordsOf([['a\u0001b', '\u0000', 'c d', 'lone\ud800x', '\uffff', '\u0085', 'end']]);
    t.equal(await printed(t, words), 'ab cd lone\ufffdx end');
    t.notOk(JSON.stringify(await objectsOf(await written(t, wordsOf([['\u0000', ' ']])))).includes('/Font'));
  });

  t.test('lines from top to bottom: one after the other', async t => {
    const down = (texts: readonly string[], x: number, line: number): Word[] => {
      let y = 50;
      return texts.map(each => {
        const word = { text: each, confidence: 1, x, y, width: 36, height: each.length * 36, line };
        y += word.height + 2;
        return word;
      });
    };
    const words = [...down(['日本語', 'の文'], 1000, 0), ...down(['次の', '行'], 930, 1)];
    t.equal(await printed(t, words, ['-raw']), '日本語の文 次の行');
  });

  t.test('odd boxes: a sound file with the words', async t => {
    const word = { text: 'odd', confidence: 1, x: 5, y: 5, width: 10, height: 10, line: 0 };
    const words: Word[] = [
      { ...word, width: 0, height: 0 },
      { ...word, x: -50, y: -50, line: 1 },
      { ...word, width: 1e6, height: 3, line: 2 },
      { ...word, height: 1e6, line: 3 },
      { ...word, text: 'x'.repeat(3000), line: 4 },
      { ...word, x: 900, line: 5 },
      { ...word, text: 'back', x: 10, line: 5 },
    ];
    t.match(await printed(t, words, ['-raw']), /odd.*back/);
  });

  t.test('more words in a line than a call has room for: a sound file', async t => {
    const [word] = wordsOf([['x']]);
    const words = Array.from({ length: 130_000 }, () => word!);
    t.match(await printed(t, words, ['-raw']), /^x/);
  });

  t.test('fonts: embedded, with the widths of their program', async t => {
    const file = await written(t, wordsOf([['both', 'Łódź']]));
    const fonts = (await run('pdffonts', [file])).trim().split('\n').slice(2);
    t.equal(fonts.length, 2);
    // The columns emb, sub and uni are the last before the object.
    for (const font of fonts) t.match(font, /PlatenText +(CID )?TrueType +\S+ +yes no /);
  });

  t.test('more characters beyond the first 65,536 than the font has codes for: replaced', async t => {
    const many = Array.from({ length: 2050 }, (_, at) => String.fromCodePoint(0x20000 + at));
    const lines = Array.from({ length: 5 }, (_, line) => [many.slice(line * 410, (line + 1) * 410).join('')]);
    const shown = await printed(t, wordsOf(lines), ['-raw']);
    t.equal([...shown.replace(/\s/g, '')].join(''), [...many.slice(0, 2048), '\ufffd\ufffd'].join(''));
  });
}
