/** From Tesseract's TSV to text: lines, paragraphs, columns, and no text on a page without any. */
import t from 'tap';
import { pageParagraphs, pageText } from './pageText.js';

interface Row {
  readonly text: string;
  readonly x?: number;
  readonly y: number;
  readonly block?: number;
  readonly paragraph?: number;
  readonly confidence?: number;
  readonly height?: number;
}

/** One line per row, 20 pixels a letter, 30 high. */
function tsv(rows: readonly Row[]): string {
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

const textOf = (tsv: string): string => pageText(pageParagraphs(tsv));

const lines = (...texts: string[]): Row[] => texts.map((text, at) => ({ text, y: 100 + at * 50 }));

t.test('pageText: no words, no text', async t => {
  t.equal(textOf(''), '');
  t.equal(textOf(tsv([])), '');
  t.equal(textOf(tsv([{ text: ' ', y: 1 }])), '', 'an image is a word without text');
});

t.test('pageText: words of low confidence, no text', async t => {
  t.equal(textOf(tsv(lines('his oh Ren, % x').map(row => ({ ...row, confidence: 59 })))), '');
  t.equal(textOf(tsv(lines('his').map(row => ({ ...row, confidence: 60 })))), 'his');
  t.equal(
    textOf(tsv(lines('7').map(row => ({ ...row, confidence: 89 })))),
    '',
    'a single character needs more confidence',
  );
  t.equal(textOf(tsv(lines('7').map(row => ({ ...row, confidence: 90 })))), '7');
  t.equal(textOf(tsv(lines('— | = .').map(row => ({ ...row, confidence: 99 })))), '', 'rules are not text');
});

t.test('pageText: beside text, unsure words stay and illegible lines go', async t => {
  const rows = [
    ...lines('Sincerely yours,'),
    { text: 'Pow Run', y: 150, confidence: 39 },
    { text: '| —', y: 200, confidence: 97 },
    { text: 'Julian Farrow', y: 250, confidence: 41 },
  ];
  t.equal(textOf(tsv(rows)), 'Sincerely yours,\n\nJulian Farrow');
});

t.test('pageText: lines of even pitch, one paragraph', async t => {
  const address = lines('Ms. Eleanor Whitcombe', 'Head of Purchasing', 'Ashgrove').map((row, at) => ({
    ...row,
    paragraph: at + 1,
    block: at + 1,
  }));
  t.equal(textOf(tsv(address)), 'Ms. Eleanor Whitcombe\nHead of Purchasing\nAshgrove');
});

t.test('pageText: a wider pitch, a new paragraph', async t => {
  const rows = ['a line', 'and one', 'next', 'after'].map((text, at) => ({
    text,
    y: 100 + at * 50 + (at > 1 ? 25 : 0),
  }));
  t.equal(textOf(tsv(rows)), 'a line\nand one\n\nnext\nafter');
  const heading = [
    { text: 'Heading', y: 10 },
    { text: 'Dear Sir', y: 85 },
    ...lines('a line', 'and one', 'a third').map(row => ({ ...row, y: row.y + 60 })),
  ];
  t.equal(
    textOf(tsv(heading)),
    'Heading\n\nDear Sir\n\na line\nand one\na third',
    'single lines too, where other lines are closer',
  );
});

t.test('pageText: double-spaced lines, one paragraph; lines further apart, several', async t => {
  t.equal(
    textOf(
      tsv([
        { text: 'one', y: 0 },
        { text: 'two', y: 90 },
        { text: 'six', y: 180 },
      ]),
    ),
    'one\ntwo\nsix',
  );
  t.equal(
    textOf(
      tsv([
        { text: 'one', y: 0 },
        { text: 'two', y: 190 },
        { text: 'six', y: 380 },
      ]),
    ),
    'one\n\ntwo\n\nsix',
  );
});

t.test('pageText: larger letters, another paragraph', async t => {
  t.equal(
    textOf(tsv([{ text: 'TITLE', y: 20, height: 60 }, ...lines('a line', 'and one')])),
    'TITLE\n\na line\nand one',
  );
});

t.test('pageText: an indent, a new paragraph in books and not in lists', async t => {
  const book = [
    { text: 'the end of it.', y: 100 },
    { text: 'A new thought', x: 140, y: 150, paragraph: 2 },
    { text: 'goes on.', y: 200, paragraph: 2 },
  ];
  t.equal(textOf(tsv(book)), 'the end of it.\n\nA new thought\ngoes on.');
  const list = [
    { text: '- first of all', y: 100 },
    { text: 'and so on', x: 140, y: 150 },
    { text: '- second', y: 200, paragraph: 2 },
  ];
  t.equal(textOf(tsv(list)), '- first of all\nand so on\n- second');
});

t.test('pageText: two columns, one after the other', async t => {
  const left = lines('left one', 'left two');
  const right = lines('right one', 'right two').map(row => ({ ...row, x: 700, block: 2 }));
  t.equal(textOf(tsv([...left, ...right])), 'left one\nleft two\n\nright one\nright two');
});

t.test('pageText: scripts without spaces, joined', async t => {
  t.equal(textOf(tsv(lines('日本 語 の テキスト 、 OCR を 読む'))), '日本語のテキスト、 OCR を読む');
  t.equal(textOf(tsv(lines('한국어 문장 입니다'))), '한국어 문장 입니다');
  t.equal(textOf(tsv(lines('ภาษา ไทย'))), 'ภาษาไทย');
});

t.test("pageText: vertical lines, Tesseract's paragraphs", async t => {
  const vertical = [
    { text: '日本語', x: 500, y: 0, height: 400 },
    { text: 'の文', x: 440, y: 0, height: 400 },
    { text: '次の', x: 300, y: 0, height: 400, paragraph: 2 },
  ];
  t.equal(textOf(tsv(vertical)), '日本語\nの文\n\n次の');
});

t.test('pageText: a tab within a word, a space', async t => {
  t.equal(textOf(`${tsv(lines('before'))}5\t1\t1\t1\t9\t1\t100\t150\t90\t30\t96\ta\tb\n`), 'before\na b');
});
