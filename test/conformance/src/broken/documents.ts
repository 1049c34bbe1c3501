/** Document formats that break one promise each: by the case that must fail, and no other. */
import { setImmediate as breathe } from 'node:timers/promises';
import { codeOf, type DocumentFormat, type DocumentPage } from '@platen/core/plugin';
import type { DocumentFeatures, DocumentRig } from '../documentRig.js';
import { fakeDocumentFormat, readFakeDocument } from '../fakeDocumentFormat.js';
import { calmCall } from '../pageTrials.js';

export const fakeDocumentFeatures: DocumentFeatures = { pixels: true, lossy: false, text: true, title: true };

type Pages = AsyncIterable<DocumentPage>;

/** @param differences what it does otherwise than the sound fake */
function broken(differences: (sound: DocumentFormat) => Partial<DocumentFormat>): () => DocumentRig {
  return () => {
    const sound = fakeDocumentFormat();
    return { format: { ...sound, ...differences(sound) }, readBack: readFakeDocument };
  };
}

/** It gives the sound one other pages. */
const withPages = (change: (pages: Pages) => Pages): (() => DocumentRig) =>
  broken(sound => ({ write: (pages, options, call) => sound.write(change(pages), options, call) }));

const onEach = (change: (page: DocumentPage) => DocumentPage): (() => DocumentRig) =>
  withPages(async function* (pages) {
    for await (const page of pages) yield change(page);
  });

export const brokenDocuments: Readonly<Record<string, () => DocumentRig>> = {
  names: broken(() => ({ extension: '.fake' })),
  'pages-in-order': withPages(async function* (pages) {
    const seen = new Set<number>();
    for await (const page of pages) {
      if (!seen.has(page.pageNumber)) yield page;
      seen.add(page.pageNumber);
    }
  }),
  'every-kind-of-page': onEach(page =>
    page.mimeType === 'image/tiff' && page.turn === 0 ? { ...page, width: page.width & ~1 } : page,
  ),
  resolutions: onEach(page => ({ ...page, dpi: 72 })),
  turns: onEach(page => ({ ...page, turn: page.turn === 90 ? 270 : page.turn })),
  'one-pixel-page': onEach(page => {
    if (page.width === 1) throw new RangeError('a page has two pixels at least');
    return page;
  }),
  'words-written': onEach(page => ({ ...page, words: page.words.slice(0, 1) })),
  'any-title': broken(sound => ({
    write(pages, options, call) {
      encodeURIComponent(options.title ?? '');
      return sound.write(pages, options, call);
    },
  })),
  'page-written-first': broken(sound => ({
    async *write(pages, options, call) {
      // It holds the chunks of a page until it has requested the next one.
      let requested = 0;
      async function* counted(): AsyncGenerator<DocumentPage, void> {
        requested++;
        for await (const page of pages) {
          yield page;
          requested++;
        }
      }
      let held: Uint8Array[] = [];
      let heldAt = 0;
      for await (const chunk of sound.write(counted(), options, call)) {
        if (requested > heldAt) yield* held.splice(0);
        heldAt = requested;
        held.push(Uint8Array.from(chunk));
      }
      yield* held;
      held = [];
    },
  })),
  'one-page-at-a-time': withPages(async function* (pages) {
    let last: DocumentPage | undefined;
    for await (const page of pages) {
      if (last) for await (const _ of last.read());
      yield page;
      last = page;
    }
  }),
  'reads-ended': onEach(page => ({
    ...page,
    async *read() {
      // It takes as many bytes as the file has, and leaves the file open.
      const slices = page.read()[Symbol.asyncIterator]();
      for (let at = 0; at < page.size;) {
        const next = await slices.next();
        if (next.done) return;
        at += next.value.length;
        yield next.value;
      }
    },
  })),
  'slices-not-kept': onEach(page => ({
    ...page,
    async *read() {
      const slices: Uint8Array[] = [];
      for await (const slice of page.read()) slices.push(slice);
      yield* slices;
    },
  })),
  'pages-returned': withPages(pages => {
    const going = pages[Symbol.asyncIterator]();
    return { [Symbol.asyncIterator]: () => ({ next: () => going.next() }) };
  }),
  'documents-apart': (() => {
    let current: DocumentPage;
    return withPages(async function* (pages) {
      for await (const page of pages) {
        current = page;
        await breathe();
        yield current;
      }
    });
  })(),
  'event-loop-free': onEach(page =>
    page.mimeType === 'image/jpeg' && page.width > 1000
      ? {
          ...page,
          mimeType: 'image/png',
          size: page.width * page.height,
          async *read() {
            yield (await page.pixels()).data;
          },
        }
      : page,
  ),
  'memory-bounded': broken(sound => ({
    async *write(pages, options, call) {
      const kept: Uint8Array[] = [];
      for await (const chunk of sound.write(pages, options, call)) {
        kept.push(Uint8Array.from(chunk));
        yield chunk;
      }
      if (kept.length === 0) throw new Error('a document without a chunk');
    },
  })),
  'pages-throws': withPages(async function* (pages) {
    try {
      yield* pages;
    } catch (error) {
      if (codeOf(error) !== 'storage-failed') throw error;
    }
  }),
  'page-fails': onEach(page => ({
    ...page,
    async *read() {
      let at = 0;
      try {
        for await (const slice of page.read()) {
          at += slice.length;
          yield slice;
        }
      } catch {
        yield new Uint8Array(page.size - at);
      }
    },
  })),
  'short-file': onEach(page => ({
    ...page,
    async *read() {
      let at = 0;
      for await (const slice of page.read()) {
        at += slice.length;
        yield slice;
      }
      if (at < page.size) yield new Uint8Array(page.size - at);
    },
  })),
  'unknown-file': withPages(async function* (pages) {
    for await (const page of pages) if (page.mimeType !== 'image/x-unknown') yield page;
  }),
  'nothing-after-failure': broken(sound => ({
    write(pages, options, call) {
      const going = sound.write(pages, options, call)[Symbol.asyncIterator]();
      const end: Uint8Array[] = [];
      return {
        [Symbol.asyncIterator]: () => ({
          async next() {
            const chunk = end.pop();
            if (chunk) return { value: chunk };
            try {
              return await going.next();
            } catch (error) {
              end.push(Buffer.from('{"count":0}'));
              throw error;
            }
          },
          return: async () => going.return?.() ?? { done: true, value: undefined },
        }),
      };
    },
  })),
  'abort-honoured': broken(sound => ({ write: (pages, options) => sound.write(pages, options, calmCall()) })),
};
