/** A document that ends is whole: whatever fails, the format throws it and writes nothing more. */
import assert from 'node:assert/strict';
import { ScanError, type DocumentPage } from '@platen/core/plugin';
import type { ContractCase } from '../contractTest.js';
import type { DocumentFeatures, DocumentRig } from '../documentRig.js';
import { wordsOf } from '../driverCases/expect.js';
import { calmCall } from '../pageTrials.js';
import { testDocumentPage } from '../testDocumentPage.js';
import { failingPage, storageFailed, trialOptions, watched, writingThrows } from './documentTrial.js';

type DocumentCase = ContractCase<DocumentRig, DocumentFeatures>;

const small = (pageNumber: number): DocumentPage => testDocumentPage({ pageNumber, width: 61, height: 47 });

export const failureCases: readonly DocumentCase[] = [
  {
    id: 'pages-throws',
    title: 'throws what `pages` throws',
    async run(rig) {
      for (const at of [0, 1, 3]) {
        const error = storageFailed();
        const { pages } = watched([1, 2, 3].map(small), index => {
          if (index === at) throw error;
        });
        expectThrown(await writingThrows(`pages fails at page ${at + 1}`, rig, pages), error);
      }
    },
  },
  {
    id: 'page-fails',
    title: "throws what reading a page's file throws",
    async run(rig) {
      for (const mimeType of ['image/png', 'image/jpeg', 'image/tiff'] as const) {
        const error = storageFailed();
        const broken = failingPage(testDocumentPage({ pageNumber: 2, mimeType, width: 100, height: 100 }), error);
        const watch = watched([small(1), broken, small(3)]);
        expectThrown(await writingThrows(`reading page 2, ${mimeType}, fails`, rig, watch.pages), error);
      }
    },
  },
  {
    id: 'short-file',
    title: 'throws if the file of a page has fewer bytes than its size',
    hint: 'Count the bytes that read() gives, and throw unless there are `size` of them.',
    async run(rig) {
      for (const mimeType of ['image/png', 'image/jpeg', 'image/tiff'] as const) {
        const watch = watched([
          small(1),
          cutShort(testDocumentPage({ pageNumber: 2, mimeType, width: 100, height: 100 })),
        ]);
        const error = await writingThrows(`the file of page 2, ${mimeType}, ends early`, rig, watch.pages);
        assert.ok(error instanceof Error, 'what it throws is an Error');
      }
    },
  },
  {
    id: 'unknown-file',
    title: 'throws for a page that nothing decodes, rather than leave it out',
    async run(rig) {
      const error = new ScanError('unsupported', 'No loaded plugin decodes this file.');
      const unknown: DocumentPage = {
        ...small(2),
        mimeType: 'image/x-unknown',
        pixels: () => Promise.reject(error),
      };
      const watch = watched([small(1), unknown, small(3)]);
      expectThrown(await writingThrows('page 2 is of an unknown format', rig, watch.pages), error);
    },
  },
  {
    id: 'nothing-after-failure',
    title: 'yields nothing after it has thrown',
    async run({ format }) {
      const { pages } = watched([small(1), failingPage(small(2), storageFailed())]);
      const writing = format.write(pages, trialOptions, calmCall())[Symbol.asyncIterator]();
      for (;;) {
        const next = await writing.next().catch(() => undefined);
        if (!next) break;
        // That page 2 must not be left out is another case.
        if (next.done) return;
      }
      for (let i = 0; i < 3; i++) {
        const next = await writing.next().catch(() => undefined);
        assert.ok(!next || next.done === true, 'a chunk came after the failure');
      }
    },
  },
  {
    id: 'abort-honoured',
    title: "throws the signal's reason when abandoned",
    hint: 'Begin with signal.throwIfAborted(), and call it again after each await; hand the signal to what you wait for.',
    async run(rig) {
      const reason = new ScanError('cancelled', 'abandoned by the contract suite');
      const before = { signal: AbortSignal.abort(reason) };
      const watch = watched([1, 2, 3].map(small));
      expectThrown(await writingThrows('the call was abandoned before', rig, watch.pages, {}, before), reason);

      const onItsWay = new AbortController();
      const many = watched(
        Array.from({ length: 20 }, (_, i) => small(i + 1)),
        index => void (index === 2 && onItsWay.abort(reason)),
      );
      expectThrown(await writingThrows('the call is abandoned before page 3', rig, many.pages, {}, onItsWay), reason);

      // As core's pages do: the next one is still being scanned, and they end with the reason.
      const waiting = new AbortController();
      const endless = watched([1, 2, 3].map(small), async index => {
        if (index < 2) return;
        queueMicrotask(() => waiting.abort(reason));
        await new Promise((_, reject) => waiting.signal.addEventListener('abort', () => reject(reason)));
      });
      expectThrown(
        await writingThrows('the call is abandoned while it waits for a page', rig, endless.pages, {}, waiting),
        reason,
      );
    },
  },
];

function expectThrown(seen: unknown, wanted: Error): void {
  assert.ok(seen === wanted, `it should throw that very error, ${wordsOf(wanted)}, but threw ${wordsOf(seen)}`);
}

/** A page whose file is cut; nothing decodes it either. */
function cutShort(page: DocumentPage): DocumentPage {
  const half = Math.floor(page.size / 2);
  return {
    ...page,
    async *read() {
      let left = half;
      for await (const slice of page.read()) {
        yield slice.subarray(0, left);
        left -= Math.min(left, slice.length);
        if (left === 0) return;
      }
    },
    pixels: () => Promise.reject(new ScanError('driver-failed', 'the file ends before its last row')),
  };
}
