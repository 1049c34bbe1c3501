/** The installed program over pages: the same text as the bundled engine, and as many processes as workers. */
import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import { availableParallelism } from 'node:os';
import { lacking } from '@platen/conformance';
import t from 'tap';
import type { OcrOptions } from './options.js';
import { read, readsPages, startEngine } from './pages.test.kit.js';
import { errorRate, samplePage, sampleText } from './samples.test.kit.js';

t.test('native', { skip: lacking('tesseract') }, async t => {
  const dataDir = t.testdir();
  const start = (options: Partial<OcrOptions>) => startEngine(dataDir, options);

  t.test('pages', async t => readsPages(t, 'native'));

  t.test('both engines, the same lines and paragraphs within 1% of the characters', async t => {
    const [wasm, native] = [await start({ engine: 'wasm' }), await start({ engine: 'native' })];
    t.teardown(() => Promise.all([wasm.close(), native.close()]));
    for (const page of [
      await samplePage('note', { dpi: 200 }),
      await samplePage('note', { dpi: 100, pixels: 'bw1' }),
    ]) {
      const [one, other] = await Promise.all([read(wasm, page), read(native, page)]);
      t.ok(errorRate(one, other) <= 0.01, 'the same characters');
      t.same(
        one.split('\n').map(line => line === ''),
        other.split('\n').map(line => line === ''),
        'the same lines and paragraphs',
      );
    }
  });

  t.test('workers: as many processes at a time, each page read once', async t => {
    for (const workers of [undefined, 1, 3]) {
      const recogniser = await start({ engine: 'native', ...(workers ? { workers } : {}) });
      const page = await samplePage('note');
      const most = await mostAtOnce(async () => {
        const texts = await Promise.all(Array.from({ length: 4 }, () => read(recogniser, page)));
        t.same(new Set(texts), new Set([sampleText('note')]));
      });
      t.equal(
        most,
        Math.min(4, workers ?? availableParallelism()),
        `processes at once, workers: ${workers ?? 'as many as cores'}`,
      );
      await recogniser.close();
    }
  });
});

/** The largest number of processes at the same time. */
async function mostAtOnce(work: () => Promise<void>): Promise<number> {
  let [now, most] = [0, 0];
  const began = (message: unknown): void => {
    most = Math.max(most, ++now);
    (message as { process: NodeJS.EventEmitter }).process.once('close', () => now--);
  };
  subscribe('child_process', began);
  try {
    await work();
  } finally {
    unsubscribe('child_process', began);
  }
  return most;
}
