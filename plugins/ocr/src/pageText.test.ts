/** From Tesseract's table to text: lines, paragraphs, columns, and nothing where nothing is written. */
import t from 'tap';
import { pageText } from './pageText.js';

interface Row {
  readonly text: string;
  readonly x?: number;
  readonly y: number;
  readonly block?: number;
  readonly paragraph?: number;
  readonly confidence?: number;
  readonly height?: number;
}

/** A line each, 20 pixels a letter, 30 high; `line` counts by itself. */
function table(rows: readonly Row[]): string {
  const head = 'level\tpage_num\tblock_num\tpar_num\tline_num\tword_num\tleft\ttop\twidth\theight\tconf\ttext';
  const words = rows.flatMap(({ text, x = 100, y, block = 1, paragraph = 1, confidence = 95, height = 30 }, line) => {
    let left = x;
    return text.split(' ').map((word, at) => {
      const width = word.length * 20;
      const cells = [5, 1, block, paragraph, line, at + 1, left, y, width, height, confidence, word];
      left += width + 20;
      return cells.join('\t');
    });
  });
  return [head, `1\t1\t0\t0\t0\t0\t0\t0\t1200\t760\t-1\t`, ...words, ''].join('\n');
}

const lines = (...texts: string[]): Row[] => texts.map((text, at) => ({ text, y: 100 + at * 50 }));

t.test('a page without words has no text', async t => {
  t.equal(pageText(''), '');
  t.equal(pageText(table([])), '');
  t.equal(pageText(table([{ text: ' ', y: 1 }])), '', 'a picture is a word without text');
});

t.test('words that nobody is sure of are no text', async t => {
  t.equal(pageText(table(lines('his oh Ren, % x').map(row => ({ ...row, confidence: 59 })))), '');
  t.equal(pageText(table(lines('his').map(row => ({ ...row, confidence: 60 })))), 'his');
  t.equal(pageText(table(lines('7').map(row => ({ ...row, confidence: 89 })))), '', 'a sign alone is a speck, until it is quite sure');
  t.equal(pageText(table(lines('7').map(row => ({ ...row, confidence: 90 })))), '7');
  t.equal(pageText(table(lines('— | = .').map(row => ({ ...row, confidence: 99 })))), '', 'rules are no text');
});

t.test('beside text, unsure words stay and illegible lines go', async t => {
  const rows = [...lines('Sincerely yours,'), { text: 'Pow Run', y: 150, confidence: 39 }, { text: '| —', y: 200, confidence: 97 }, { text: 'Julian Farrow', y: 250, confidence: 41 }];
  t.equal(pageText(table(rows)), 'Sincerely yours,\n\nJulian Farrow');
});

t.test('lines at an even distance are one paragraph, whatever Tesseract makes of their lengths', async t => {
  const address = lines('Ms. Eleanor Whitcombe', 'Head of Purchasing', 'Ashgrove').map((row, at) => ({ ...row, paragraph: at + 1, block: at + 1 }));
  t.equal(pageText(table(address)), 'Ms. Eleanor Whitcombe\nHead of Purchasing\nAshgrove');
});

t.test('a wider distance is a new paragraph', async t => {
  const rows = ['a line', 'and one', 'next', 'after'].map((text, at) => ({ text, y: 100 + at * 50 + (at > 1 ? 25 : 0) }));
  t.equal(pageText(table(rows)), 'a line\nand one\n\nnext\nafter');
  const heading = [{ text: 'Heading', y: 10 }, { text: 'Dear Sir', y: 85 }, ...lines('a line', 'and one', 'a third').map(row => ({ ...row, y: row.y + 60 }))];
  t.equal(pageText(table(heading)), 'Heading\n\nDear Sir\n\na line\nand one\na third', 'single lines too, where the page has closer ones');
});

t.test('double-spaced lines are one paragraph; single lines far apart are not', async t => {
  t.equal(pageText(table([{ text: 'one', y: 0 }, { text: 'two', y: 90 }, { text: 'six', y: 180 }])), 'one\ntwo\nsix');
  t.equal(pageText(table([{ text: 'one', y: 0 }, { text: 'two', y: 190 }, { text: 'six', y: 380 }])), 'one\n\ntwo\n\nsix');
});

t.test('a larger letter is another paragraph', async t => {
  t.equal(pageText(table([{ text: 'TITLE', y: 20, height: 60 }, ...lines('a line', 'and one')])), 'TITLE\n\na line\nand one');
});

t.test('an indent that Tesseract takes for a paragraph is one; a list’s second line is not', async t => {
  const book = [{ text: 'the end of it.', y: 100 }, { text: 'A new thought', x: 140, y: 150, paragraph: 2 }, { text: 'goes on.', y: 200, paragraph: 2 }];
  t.equal(pageText(table(book)), 'the end of it.\n\nA new thought\ngoes on.');
  const list = [{ text: '- first of all', y: 100 }, { text: 'and so on', x: 140, y: 150 }, { text: '- second', y: 200, paragraph: 2 }];
  t.equal(pageText(table(list)), '- first of all\nand so on\n- second');
});

t.test('columns follow each other', async t => {
  const left = lines('left one', 'left two');
  const right = lines('right one', 'right two').map(row => ({ ...row, x: 700, block: 2 }));
  t.equal(pageText(table([...left, ...right])), 'left one\nleft two\n\nright one\nright two');
});

t.test('scripts without spaces get none', async t => {
  t.equal(pageText(table(lines('日本 語 の テキスト 、 OCR を 読む'))), '日本語のテキスト、 OCR を読む');
  t.equal(pageText(table(lines('한국어 문장 입니다'))), '한국어 문장 입니다');
  t.equal(pageText(table(lines('ภาษา ไทย'))), 'ภาษาไทย');
});

t.test('upright lines are paragraphs as Tesseract has them', async t => {
  const upright = [{ text: '日本語', x: 500, y: 0, height: 400 }, { text: 'の文', x: 440, y: 0, height: 400 }, { text: '次の', x: 300, y: 0, height: 400, paragraph: 2 }];
  t.equal(pageText(table(upright)), '日本語\nの文\n\n次の');
});

t.test('a tab within a word does no harm', async t => {
  t.equal(pageText(`${table(lines('before'))}5\t1\t1\t1\t9\t1\t100\t150\t90\t30\t96\ta\tb\n`), 'before\na b');
});
