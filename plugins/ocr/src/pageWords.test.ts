/** Boxes of words: scaled from the engine's image to the page, clipped to it, and without white space in a word. */
import t from 'tap';
import { pageWords } from './pageWords.js';
import type { Line } from './tsv.js';

const word = { text: 'word', confidence: 96, left: 100, top: 200, right: 300, bottom: 240 };
const size = { width: 500, height: 500 };
const line = (...words: Line['words']): Line => ({ paragraph: '1.1', words });

t.test('pageWords: an enlarged and a reduced image, boxes of the page', async t => {
  const box = (image: number, page: number) =>
    pageWords([[line(word)]], { width: image, height: image }, { width: page, height: page })[0];
  t.match(box(400, 400), { text: 'word', confidence: 0.96, x: 100, y: 200, width: 200, height: 40, line: 0 });
  t.match(box(400, 100), { x: 25, y: 50, width: 50, height: 10 });
  t.match(box(400, 1200), { x: 300, y: 600, width: 600, height: 120 });
  t.match(box(400, 133), { x: 33.3, y: 66.5, width: 66.5, height: 13.3 }, 'to a tenth of a pixel');
});

t.test('pageWords: x and y scale by their own sides', async t => {
  t.match(pageWords([[line(word)]], { width: 400, height: 500 }, { width: 100, height: 1000 }), [
    { x: 25, y: 400, width: 50, height: 80 },
  ]);
});

t.test('pageWords: boxes beyond the page, clipped to it', async t => {
  const page = { width: 250, height: 220 };
  const outside = { ...word, left: 260, right: 900, top: -30, bottom: -10 };
  t.match(pageWords([[line(word, outside)]], page, page), [
    { x: 100, width: 150, y: 200, height: 20 },
    { x: 249.9, width: 0.1, y: 0, height: 0.1 },
  ]);
});

t.test('pageWords: lines numbered through the paragraphs, confidence from 0 to 1', async t => {
  const odd = { ...word, confidence: -1 };
  const found = pageWords([[line(word, word), line(word)], [line(odd)]], size, size);
  t.same(
    found.map(each => each.line),
    [0, 0, 1, 2],
  );
  t.equal(found.at(-1)?.confidence, 0);
});

t.test('pageWords: a word with white space, several words beside each other', async t => {
  const found = pageWords([[line({ ...word, text: 'a bc' })]], size, size);
  t.match(found, [
    { text: 'a', x: 100, width: 50 },
    { text: 'bc', x: 200, width: 100 },
  ]);
});
