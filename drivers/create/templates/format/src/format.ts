/** The image format. */
import type { DecodedImage, Format } from '@platen/core/plugin';
import { createThreads, rowsOf } from './threads.js';
import type { Work } from './worker.js';

type Answer = { readonly file: Uint8Array } & { readonly image: DecodedImage };

export function createFormat(): Required<Format> & { close(): Promise<void> } {
  const threads = createThreads<Work, Answer>();
  return {
    // Yours: the name in requests (`imageFormat: 'Qoi'`), the endings of files, the MIME type, whether detail is lost.
    name: 'Qoi',
    aliases: ['qoi'],
    mimeType: 'image/qoi',
    lossless: true,

    // Yours: `quality`, from 1 to 100, is the second parameter of a format that loses detail.
    async encode(page, _options, { signal }) {
      signal.throwIfAborted();
      const rows = rowsOf(page);
      return (await threads.run({ rows }, signal, [rows.data.buffer])).file;
    },

    async decode(bytes, { signal }) {
      signal.throwIfAborted();
      const file = new Uint8Array(bytes);
      return (await threads.run({ file }, signal, [file.buffer])).image;
    },

    close: () => threads.close(),
  };
}
