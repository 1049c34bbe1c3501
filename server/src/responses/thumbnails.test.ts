/** Small pictures of pages in every format. */
import { fakeFormat, testPage } from '@platen/conformance';
import { createSemaphore, slices, type StoredPage } from '@platen/core';
import sharp from 'sharp';
import t from 'tap';
import { createThumbnails } from './thumbnails.js';

const { signal } = new AbortController();
const size = { width: 400, height: 200 };

function stored(bytes: Uint8Array, mimeType: string, check = async () => {}): StoredPage {
  return {
    page: { mimeType, format: 'Some', ...size } as StoredPage['page'],
    report: false,
    size: bytes.byteLength,
    sha256: '',
    delivered: false,
    check,
    words: async () => undefined,
    read: (sliceBytes, start, end) => slices(bytes.subarray(start, end), sliceBytes),
    deliver: () => t.fail('a thumbnail is not the page'),
    drop: () => undefined,
  };
}
const red = () => sharp({ create: { ...size, channels: 3, background: '#c00' } });
const facts = async (bytes: Uint8Array) => {
  const { format, width, height } = await sharp(bytes).metadata();
  return { format, width, height };
};

t.test('thumbnails: PNG, JPEG and TIFF, the width that was asked for', async t => {
  const { make } = createThumbnails(createSemaphore(1), []);
  for (const [mimeType, bytes] of [
    ['image/png', await red().png().toBuffer()],
    ['image/jpeg', await red().jpeg().toBuffer()],
    ['image/tiff', await red().tiff({ compression: 'lzw' }).toBuffer()],
    ['image/tiff', await red().toColourspace('b-w').tiff({ bitdepth: 1, compression: 'ccittfax4' }).toBuffer()],
  ] as const) {
    t.same(await facts(await make(stored(bytes, mimeType), 100, signal)), { format: 'jpeg', width: 100, height: 50 });
    t.match(await facts(await make(stored(bytes, mimeType), 2000, signal)), { width: 400 }, 'not wider than the page');
  }
  const { data } = await sharp(await make(stored(await red().png().toBuffer(), 'image/png'), 16, signal))
    .raw()
    .toBuffer({ resolveWithObject: true });
  t.ok((data[0] ?? 0) > 180 && (data[1] ?? 255) < 40, 'the same colour');
});

t.test('thumbnails: another format is decoded by its plugin', async t => {
  const format = fakeFormat({ mimeType: 'image/x-fake' });
  const { make } = createThumbnails(createSemaphore(1), [format]);
  for (const pixels of ['rgb24', 'gray8', 'bw1'] as const) {
    const bytes = await format.encode(testPage({ ...size, pixels, padding: 3 }), { quality: 90 }, { signal });
    t.same(await facts(await make(stored(bytes, 'image/x-fake'), 100, signal)), {
      format: 'jpeg',
      width: 100,
      height: 50,
    });
  }
  t.equal(format.decodes, 3);
});

t.test('thumbnails: nothing decodes the format, an invalid value', async t => {
  const { make } = createThumbnails(createSemaphore(1), []);
  const page = stored(Buffer.from('?'), 'image/x-fake');
  await t.rejects(make(page, 100, signal), { code: 'invalid-value', field: 'width' });
});

t.test('thumbnails: a damaged page, its own error', async t => {
  const { make } = createThumbnails(createSemaphore(1), []);
  const page = stored(Buffer.from(''), 'image/png', () => Promise.reject(new Error('damaged')));
  await t.rejects(make(page, 100, signal), { message: 'damaged' });
});

t.test('thumbnails: one place, one page at a time; a client that leaves does not wait for it', async t => {
  const format = fakeFormat({ mimeType: 'image/x-fake' });
  const bytes = await format.encode(testPage(size), { quality: 90 }, { signal });
  const { make } = createThumbnails(createSemaphore(1), [format]);
  let go = (): void => undefined;
  const held = stored(bytes, 'image/x-fake', () => new Promise(resolve => (go = resolve)));
  const first = make(held, 100, signal);
  const leaving = new AbortController();
  const second = make(stored(bytes, 'image/x-fake'), 100, leaving.signal);
  leaving.abort(new Error('gone'));
  await t.rejects(second, { message: 'gone' });
  t.equal(format.decodes, 0);
  go();
  await first;
});
