/** What both engines are tested with: the published suite, pages with known text, pages without text. */
import { drawnWords, recogniserContract } from '@platen/conformance';
import { nullLog, type RawPage, type Word } from '@platen/core/plugin';
import sharp from 'sharp';
import type { Test } from 'tap';
import { createRecogniser } from './createRecogniser.js';
import type { OcrOptions } from './options.js';
import type { ClosableRecogniser } from './recogniser.js';
import { calm, errorRate, firstLines, firstText, pageOf, samplePage, sampleText } from './samples.test.kit.js';
import { textlessPages } from './textlessPages.test.kit.js';

/** @param dataDir the folder for the program's unpacked data */
export function startEngine(dataDir: string, options: Partial<OcrOptions>): Promise<ClosableRecogniser> {
  const usual: OcrOptions = { engine: 'wasm', languages: ['eng'], pageSeconds: 120, program: 'tesseract' };
  return createRecogniser({ options: { ...usual, ...options }, log: nullLog, dataDir });
}

export async function read(recogniser: ClosableRecogniser, page: RawPage): Promise<string> {
  return (await recogniser.read(page, {}, calm)).text;
}

export function readsPages(t: Test, engine: 'wasm' | 'native'): void {
  const dataDir = t.testdir();
  const start = (options: Partial<OcrOptions>) => startEngine(dataDir, options);

  t.test('the published suite', t =>
    recogniserContract(t, {
      async make() {
        const recogniser = await start({ engine, workers: 2 });
        return {
          recogniser,
          page: () => firstLines({ pixels: 'rgb24' }),
          holds: firstText.replaceAll('\n', ' '),
          dispose: () => recogniser.close(),
        };
      },
      features: { kind: 'ocr', words: true },
    }),
  );

  t.test('pages with known text: at most 2% of the characters wrong', async t => {
    const recogniser = await start({ engine });
    t.teardown(() => recogniser.close());
    const report = await read(recogniser, await samplePage('report'));
    t.ok(
      errorRate(report, sampleText('report')) <= 0.02,
      `a clean page of 650 words at 300 dpi: ${errorRate(report, sampleText('report'))}`,
    );
    t.equal(
      await read(recogniser, await samplePage('note')),
      sampleText('note'),
      'lines and paragraphs as on the page',
    );
    for (const wishes of [
      { dpi: 100 },
      { dpi: 200, pixels: 'rgb24' },
      { dpi: 600 },
      { dpi: 200, pixels: 'bw1' },
      { dpi: 300, pixels: 'bw1' },
    ] as const) {
      const text = await read(recogniser, await samplePage('note', wishes));
      t.ok(
        errorRate(text, sampleText('note')) <= 0.02,
        `${JSON.stringify(wishes)}: ${errorRate(text, sampleText('note'))}`,
      );
    }
  });

  t.test('words: in the boxes of their ink, at every resolution', async t => {
    const recogniser = await start({ engine });
    t.teardown(() => recogniser.close());
    const drawn = drawnWords(await samplePage('note'), sampleText('note'));
    for (const wishes of [
      { dpi: 75 },
      { dpi: 200 },
      { dpi: 300 },
      { dpi: 300, pixels: 'bw1' },
      { dpi: 600, pixels: 'rgb24' },
    ] as const) {
      const { words } = await recogniser.read(await samplePage('note', wishes), {}, calm);
      const what = JSON.stringify(wishes);
      t.equal(words.length, drawn.length, `${what}: as many words`);
      // In inches, to compare resolutions. The box may have a soft edge of a pixel, and Tesseract's own of two.
      const most = 1 / wishes.dpi + 3 / 300;
      const apart = words.map((word, at) => inchesApart({ box: word, dpi: wishes.dpi }, { box: drawn[at]!, dpi: 300 }));
      const off = words.filter((_, at) => apart[at]! > most).map(({ text }) => text);
      t.ok(off.length <= words.length * 0.02, `${what}: ${off.join(' ')} (${Math.max(...apart)} inches)`);
    }
  });

  t.test('two columns: one after the other', async t => {
    const recogniser = await start({ engine });
    t.teardown(() => recogniser.close());
    const note = await samplePage('note');
    const column = await sharp(note.data, { raw: { width: note.width, height: note.height, channels: 1 } })
      .png()
      .toBuffer();
    const two = sharp({ create: { width: 2500, height: 800, channels: 3, background: '#fff' } });
    const page = await pageOf(
      await two
        .composite([
          { input: column, left: 0, top: 20 },
          { input: column, left: 1250, top: 20 },
        ])
        .png()
        .toBuffer(),
    );
    t.ok(errorRate(await read(recogniser, page), `${sampleText('note')} ${sampleText('note')}`) <= 0.02);
  });

  t.test('pages without text: no text', async t => {
    const recogniser = await start({ engine });
    t.teardown(() => recogniser.close());
    const pages = await textlessPages();
    for (const [name, page] of Object.entries(pages)) t.equal(await read(recogniser, page), '', name);
  });
}

interface BoxAt {
  /** In pixels of a page of `dpi`. */
  readonly box: Pick<Word, 'x' | 'y' | 'width' | 'height'>;
  readonly dpi: number;
}

/** The largest distance of an edge from the same edge of the other box, in inches. */
function inchesApart(found: BoxAt, wanted: BoxAt): number {
  const edges = ({ box, dpi }: BoxAt) => [box.x, box.y, box.x + box.width, box.y + box.height].map(each => each / dpi);
  const expected = edges(wanted);
  return Math.max(...edges(found).map((edge, i) => Math.abs(edge - expected[i]!)));
}
