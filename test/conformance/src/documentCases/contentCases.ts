/** What a document holds: the pages in order, their sizes, turns, pixels, text and title. */
import assert from 'node:assert/strict';
import { type Word, turns } from '@platen/core/plugin';

import type { ContractCase } from '../contractTest.js';
import type { DocumentFeatures, DocumentRig, WrittenPage } from '../documentRig.js';
import { expectEqual, expectSame } from '../driverCases/expect.js';
import { difference, turnedImage } from '../pixelValues.js';
import { everyPixels } from '../pageTrials.js';
import { testFileTypes } from '../testFiles.js';
import { testDocumentPage, type TestDocumentPage } from '../testDocumentPage.js';
import { expectPages, readBack } from './documentTrial.js';

type DocumentCase = ContractCase<DocumentRig, DocumentFeatures>;

/** Worst difference of a pixel, in steps of 255: a JPEG's colours are rounded, wherever they are decoded. */
const ROUNDED = 4;
/** Mean difference that a format's own loss may cause; a swapped channel causes ten times as much. */
const LOSS = 8;
/** The resolutions that scanners have, at the ends and between. */
const RESOLUTIONS = [75, 96, 150, 200, 240, 300, 400, 600, 720, 1200];

/** What comes from people and from barcodes: the delimiters of formats, other scripts, half a character, controls. */
const oddTexts = [
  'Invoice (copy) \\ 100% <a href="x">&amp; \' / [1] {2}',
  'Größe · Ελληνικά · 日本語 · עברית · 🖨️',
  ') >> endobj endstream %%EOF ]]> --> \\',
  'x'.repeat(500),
];
const brokenTexts = ['half a pair: \ud83d', 'controls: \0\t\r\n\x1b\x1d', '\u{feff}\u202eturned'];

export const contentCases: readonly DocumentCase[] = [
  {
    id: 'names',
    title: 'has a name, a MIME type, and extensions in lower case',
    async run({ format: { name, mimeType, extension, aliases = [] } }) {
      assert.match(name, /^\S+$/, 'name');
      assert.match(mimeType, /^[a-z]+\/[a-z0-9.+-]+$/, 'mimeType');
      for (const each of [extension, ...aliases]) assert.match(each, /^[a-z0-9]+$/, `extension ${each}`);
      expectSame(new Set([extension, ...aliases]).size, 1 + aliases.length, 'extensions, each once');
    },
  },
  {
    id: 'pages-in-order',
    title: 'has the pages in the given order, also one that comes several times',
    async run(rig) {
      const pages = [3, 1, 2, 1, 1].map(pageNumber =>
        testDocumentPage({ pageNumber, width: 20 + pageNumber, height: 40 - pageNumber, pixels: 'gray8' }),
      );
      expectPages(await readBack(rig, pages), pages, 'page 3, 1, 2, 1 and 1');
    },
  },
  {
    id: 'every-kind-of-page',
    title: 'takes PNG, TIFF and JPEG files in colour, grey and 1-bit, in one document',
    async run(rig, features) {
      const pages = testFileTypes.flatMap((mimeType, row) =>
        everyPixels.flatMap((pixels, column) =>
          mimeType === 'image/jpeg' && pixels === 'bw1'
            ? []
            : [
                testDocumentPage({
                  pageNumber: row * 3 + column + 1,
                  mimeType,
                  pixels,
                  width: 61 + row * 2,
                  height: 47 + column,
                }),
              ],
        ),
      );
      const document = await readBack(rig, pages);
      expectPages(document, pages, pages.map(kindOf).join(', '));
      for (const [i, page] of pages.entries()) await expectPixels(document.pages[i]!, page, features);
    },
  },
  {
    id: 'resolutions',
    title: "stores each page's resolution",
    async run(rig) {
      const pages = RESOLUTIONS.map((dpi, i) =>
        testDocumentPage({ pageNumber: i + 1, width: 300, height: 200 + i, dpi, pixels: 'gray8' }),
      );
      const document = await readBack(rig, pages);
      expectEqual(
        document.pages.map(({ dpi }) => dpi),
        RESOLUTIONS,
        'resolutions of the pages, in dpi',
      );
    },
  },
  {
    id: 'turns',
    title: 'turns pages clockwise',
    async run(rig, features) {
      const pages = (['image/png', 'image/jpeg'] as const).flatMap((mimeType, row) =>
        turns.map((turn, i) => {
          const pixels = mimeType === 'image/png' ? everyPixels[i % 3]! : 'rgb24';
          return testDocumentPage({ pageNumber: row * 4 + i + 1, mimeType, pixels, turn, width: 61, height: 40 });
        }),
      );
      const document = await readBack(rig, pages);
      expectPages(document, pages, pages.map(({ turn }) => `${turn}°`).join(', '));
      for (const [i, page] of pages.entries()) await expectPixels(document.pages[i]!, page, features);
    },
  },
  {
    id: 'one-pixel-page',
    title: 'takes a page of one pixel',
    async run(rig) {
      const pages = everyPixels.map((pixels, i) =>
        testDocumentPage({ pageNumber: i + 1, width: 1, height: 1, pixels }),
      );
      expectPages(await readBack(rig, pages), pages, 'three pages of one pixel');
    },
  },
  {
    id: 'words-written',
    title: "writes each page's words, and none for a page without",
    skip: ({ text }) => (text ? undefined : 'the format writes no text'),
    async run(rig) {
      const texts = ['Harbour (12) \\ 50%', '', 'Größe Straße', 'Harbour again'];
      const pages = texts.map((text, i) =>
        testDocumentPage({
          pageNumber: i + 1,
          width: 400,
          height: 300,
          pixels: 'gray8',
          turn: turns[i]!,
          words: wordsOf(text),
        }),
      );
      const document = await readBack(rig, pages);
      expectEqual(
        document.pages.map(({ text = '' }) => text.split(/\s+/).filter(Boolean).join(' ')),
        texts,
        'text of the pages',
      );
    },
  },
  {
    id: 'any-title',
    title: 'takes a title, words and barcodes with any characters',
    async run(rig, features) {
      for (const title of [...oddTexts, ...brokenTexts]) {
        const barcodes = [{ text: title, barcodeType: 'QR_CODE', confidence: 1 }] as const;
        const pages = [testDocumentPage({ width: 40, height: 30, pixels: 'gray8', words: wordsOf(title), barcodes })];
        const options = { title, language: 'de', barcodes: true };
        const document = await readBack(rig, pages, options);
        expectPages(document, pages, `a document with the title ${JSON.stringify(title)}`);
        if (features.title && oddTexts.includes(title)) expectSame(document.title, title, 'title in the document');
      }
      const pages = [testDocumentPage()];
      expectPages(await readBack(rig, pages, { createdAt: 0 }), pages, 'a document without a title, of 1970');
    },
  },
];

function kindOf({ mimeType, content }: TestDocumentPage): string {
  return `${content.pixels} as ${mimeType}`;
}

/** One line of words, as far as they are words: without white space. */
function wordsOf(text: string): Word[] {
  const words = text.split(/\s+/).filter(Boolean);
  return words.map((word, i) => ({
    text: word,
    confidence: 0.9,
    x: 10 + i * 70,
    y: 20,
    width: 60,
    height: 12,
    line: 1,
  }));
}

async function expectPixels(seen: WrittenPage, page: TestDocumentPage, features: DocumentFeatures): Promise<void> {
  if (!features.pixels) return;
  assert.ok(seen.pixels, 'features.pixels is true, so the rig needs pixels of every page');
  const what = `page ${page.pageNumber} (${kindOf(page)}, turned by ${page.turn}°)`;
  const image = turnedImage(await seen.pixels(), seen.turn);
  const wanted = turnedImage(page.content, page.turn);
  expectEqual([image.width, image.height], [wanted.width, wanted.height], `pixels of ${what}`);
  const { worst, mean } = difference(wanted, image);
  if (features.lossy) assert.ok(mean <= LOSS, `${what} differs by ${mean.toFixed(1)} on average, more than ${LOSS}`);
  else {
    const allowed = page.mimeType === 'image/jpeg' ? ROUNDED : 0;
    assert.ok(worst <= allowed, `${what} differs by up to ${worst}, more than ${allowed}`);
  }
}
