/** Small pictures of pages in every format. */
import { fakeFormat, testPage } from '@platen/conformance';
import { createSemaphore } from '@platen/core';
import sharp from 'sharp';
import t from 'tap';
import { storedBytes } from './storedBytes.test.kit.js';
import { createThumbnails } from './thumbnails.js';

const { signal } = new AbortController();
const size = { width: 400, height: 200 };
const stored = (bytes: Uint8Array, mimeType: string, check?: () => Promise<void>) =>
  storedBytes(bytes, { mimeType }, check);

const red = () => sharp({ create: { ...size, channels: 3, background: '#c00' } });
const facts = async (bytes: Uint8Array) => {
  const { format, width, height } = await sharp(bytes).metadata();
  return { format, width, height };
};

t.test('thumbnails: PNG, JPEG and TIFF, the width that was asked for', async t => {
  const { make } = createThumbnails(createSemaphore(1), { formats: [] });
  for (const [mimeType, bytes] of [
    ['image/png', await red().png().toBuffer()],
    ['image/jpeg', await red().jpeg().toBuffer()],
    ['image/tiff', await red().tiff({ compression: 'lzw' }).toBuffer()],
    ['image/tiff', await red().toColourspace('b-w').tiff({ bitdepth: 1, compression: 'ccittfax4' }).toBuffer()],
  ] as const) {
    t.same(await facts(await make(stored(bytes, mimeType), 100, 0, signal)), {
      format: 'jpeg',
      width: 100,
      height: 50,
    });
    t.match(
      await facts(await make(stored(bytes, mimeType), 2000, 0, signal)),
      { width: 400 },
      'not wider than the page',
    );
  }
  const { data } = await sharp(await make(stored(await red().png().toBuffer(), 'image/png'), 16, 0, signal))
    .raw()
    .toBuffer({ resolveWithObject: true });
  t.ok((data[0] ?? 0) > 180 && (data[1] ?? 255) < 40, 'the same colour');
});

/** The corners that are black: upper left, upper right, lower left, lower right. */
async function blackCorners(bytes: Uint8Array): Promise<string> {
  const { data, info } = await sharp(bytes).greyscale().raw().toBuffer({ resolveWithObject: true });
  const last = info.height - 1;
  const corners = [0, info.width - 1, last * info.width, last * info.width + info.width - 1];
  return corners.map(at => ((data[at] ?? 255) < 30 ? 'x' : '-')).join('');
}

t.test('thumbnails: turned clockwise; the width is that of the result', async t => {
  const { make } = createThumbnails(createSemaphore(1), { formats: [] });
  const input = await sharp({ create: { width: 200, height: 200, channels: 3, background: '#000' } })
    .png()
    .toBuffer();
  const halfBlack = await red()
    .composite([{ input, left: 0, top: 0 }])
    .png()
    .toBuffer();
  const page = stored(halfBlack, 'image/png');
  for (const [turn, wanted, width, height, corners] of [
    [0, 100, 100, 50, 'x-x-'],
    [90, 100, 100, 200, 'xx--'],
    [180, 100, 100, 50, '-x-x'],
    [270, 100, 100, 200, '--xx'],
    [90, 2000, 200, 400, 'xx--'],
  ] as const) {
    const bytes = await make(page, wanted, turn, signal);
    t.same(await facts(bytes), { format: 'jpeg', width, height }, `${turn}`);
    t.equal(await blackCorners(bytes), corners, `${turn}`);
  }
});

t.test('thumbnails: another format is decoded by its plugin', async t => {
  const format = fakeFormat({ mimeType: 'image/x-fake' });
  const { make } = createThumbnails(createSemaphore(1), { formats: [format] });
  for (const pixels of ['rgb24', 'gray8', 'bw1'] as const) {
    const bytes = await format.encode(testPage({ ...size, pixels, padding: 3 }), { quality: 90 }, { signal });
    t.same(await facts(await make(stored(bytes, 'image/x-fake'), 100, 0, signal)), {
      format: 'jpeg',
      width: 100,
      height: 50,
    });
  }
  t.equal(format.decodes, 3);
});

t.test('thumbnails: nothing decodes the format, an invalid value', async t => {
  const { make } = createThumbnails(createSemaphore(1), { formats: [] });
  const page = stored(Buffer.from('?'), 'image/x-fake');
  await t.rejects(make(page, 100, 0, signal), { code: 'invalid-value', field: 'width' });
});

t.test('thumbnails: a damaged page, its own error', async t => {
  const { make } = createThumbnails(createSemaphore(1), { formats: [] });
  const page = stored(Buffer.from(''), 'image/png', () => Promise.reject(new Error('damaged')));
  await t.rejects(make(page, 100, 0, signal), { message: 'damaged' });
});

t.test('thumbnails: one place, one page at a time; a client that leaves does not wait for it', async t => {
  const format = fakeFormat({ mimeType: 'image/x-fake' });
  const bytes = await format.encode(testPage(size), { quality: 90 }, { signal });
  const { make } = createThumbnails(createSemaphore(1), { formats: [format] });
  let go = (): void => undefined;
  const held = stored(bytes, 'image/x-fake', () => new Promise(resolve => (go = resolve)));
  const first = make(held, 100, 0, signal);
  const leaving = new AbortController();
  const second = make(stored(bytes, 'image/x-fake'), 100, 0, leaving.signal);
  leaving.abort(new Error('gone'));
  await t.rejects(second, { message: 'gone' });
  t.equal(format.decodes, 0);
  go();
  await first;
});
