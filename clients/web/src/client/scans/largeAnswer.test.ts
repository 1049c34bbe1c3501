import { Buffer } from 'node:buffer';
import t from 'tap';
import { createLargeReader, readLarge } from './largeAnswer.js';

const bytes = [0, 1, 2, 3, 4, 300].map(length => Buffer.from(Array.from({ length }, (_each, at) => at % 256)));
const answer = {
  success: true,
  images: bytes.map((image, at) => ({
    ocrText: 'it says "base64Data":"AAAA" and \\',
    base64Data: image.toString('base64'),
    pageNumber: at + 1,
  })),
  message: 'Größe',
};
const json = JSON.stringify(answer);
const wanted = { ...answer, images: answer.images.map((image, at) => ({ ...image, base64Data: String(at) })) };

const filesOf = async (blobs: readonly Blob[]): Promise<string[]> =>
  Promise.all(blobs.map(async blob => Buffer.from(await blob.arrayBuffer()).toString('hex')));

t.test('largeAnswer: any split of the text, the same images and the same rest', async t => {
  for (const size of [1, 2, 3, 5, 7, 13, 14, 15, 64, json.length]) {
    const reader = createLargeReader();
    for (let at = 0; at < json.length; at += size) reader.take(json.slice(at, at + size));
    const { text, blobs } = reader.end();
    t.strictSame(JSON.parse(text), wanted, `pieces of ${size}`);
    t.strictSame(
      await filesOf(blobs),
      bytes.map(image => image.toString('hex')),
    );
  }
});

t.test('largeAnswer: read from a body; an incomplete body is rejected', async t => {
  const { text, blobs } = await readLarge(new Blob([json]).stream());
  t.strictSame(JSON.parse(text), wanted);
  t.equal(blobs.length, bytes.length);
  const half = await readLarge(new Blob([json.slice(0, json.length / 2)]).stream());
  t.throws(() => JSON.parse(half.text));
  await t.rejects(readLarge(new ReadableStream({ start: control => control.error(new Error('reset')) })), /reset/);
});
