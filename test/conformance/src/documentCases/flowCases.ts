/** How a document is written: a page at a time, as far as the reader has come, and with the event loop free. */
import assert from 'node:assert/strict';
import { setImmediate as breathe } from 'node:timers/promises';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import type { DocumentPage } from '@platen/core/plugin';
import type { ContractCase } from '../contractTest.js';
import type { DocumentFeatures, DocumentRig } from '../documentRig.js';
import { expectEqual, expectSame } from '../driverCases/expect.js';
import { keepsLoopFree } from '../pageTrials.js';
import { difference, turnedImage } from '../pixelValues.js';
import { testDocumentPage, type TestDocumentPage } from '../testDocumentPage.js';
import {
  expectPages,
  failingPage,
  noise,
  readBack,
  storageFailed,
  watched,
  writing,
  written,
  type Watch,
} from './documentTrial.js';

type DocumentCase = ContractCase<DocumentRig, DocumentFeatures>;

/** The least share of a page's file that is written before the next page is requested: more than a head. */
const SHARE = 0.1;

const MANY = 300;
const WARM = 100;
/** Side of one of many pages, and of a page that is work, in pixels of one byte. */
const SIDE = 256;
const LARGE = 1500;

export const flowCases: readonly DocumentCase[] = [
  {
    id: 'page-written-first',
    title: 'writes a page before it requests the next one',
    async run(rig) {
      const pages = noisy(4);
      let bytes = 0;
      const at: number[] = [];
      const { pages: given } = watched(pages, index => void (at[index] = bytes));
      for await (const chunk of writing(rig, given)) bytes += chunk.length;
      for (let i = 1; i <= pages.length; i++) {
        const share = pages[i - 1]!.size * SHARE;
        const came = at[i]! - at[i - 1]!;
        assert.ok(
          came >= share,
          `${came} bytes had come of page ${i}, a file of ${pages[i - 1]!.size} bytes, when ${
            i < pages.length ? `page ${i + 1}` : 'the end'
          } was requested`,
        );
      }
    },
  },
  {
    id: 'one-page-at-a-time',
    title: 'reads no page after it has requested the next one',
    hint: 'Read a page to its end, and yield its bytes, before the loop over `pages` goes on.',
    async run(rig) {
      const watch = watched(noisy(4));
      await written(rig, watch.pages);
      expectEqual(watch.late, [], 'numbers of the pages that were read after the next one had been requested');
    },
  },
  {
    id: 'reads-ended',
    title: 'ends every read of a file, also when its reader leaves or a page fails: each holds the file open',
    async run(rig) {
      const opens: number[] = [];
      const whole = watched(noisy(3), () => void opens.push(whole.open));
      await written(rig, whole.pages);
      expectEqual(
        [...opens, whole.open],
        [0, 0, 0, 0, 0],
        'reads that are open as each page, and the end, is requested',
      );
      assert.ok(whole.peak <= 1, `${whole.peak} reads of files were open at once`);
      const left = watched(noisy(3));
      await leaveAt(2, rig, left);
      expectSame(left.open, 0, 'reads that are open after the reader left');
      const [first, second] = noisy(2);
      const failed = watched([first!, failingPage(second!, storageFailed())]);
      await written(rig, failed.pages).catch(() => undefined);
      expectSame(failed.open, 0, 'reads that are open after a page failed');
    },
  },
  {
    id: 'slices-not-kept',
    title: 'keeps no slice of a file after it has requested the next one',
    hint: 'Copy a slice that you keep, slice.slice(): the next request overwrites it.',
    async run(rig, features) {
      const pages = (['image/png', 'image/tiff'] as const).map((mimeType, i) =>
        testDocumentPage({ pageNumber: i + 1, mimeType, content: noise(64, i) }),
      );
      const document = await readBack(rig, pages.map(overwriting));
      expectPages(document, pages, 'pages whose slices are overwritten by the next request');
      if (!features.pixels || features.lossy) return;
      for (const [i, { content }] of pages.entries()) {
        const seen = document.pages[i]!;
        const image = turnedImage(await seen.pixels!(), seen.turn);
        expectSame(difference(turnedImage(content, 0), image).worst, 0, `difference of page ${i + 1}'s pixels`);
      }
    },
  },
  {
    id: 'pages-returned',
    title: 'returns `pages` when its reader leaves, and when a page fails',
    async run(rig) {
      for (const at of [1, 2, 3]) {
        const watch = watched(noisy(3));
        await leaveAt(at, rig, watch);
        assert.ok(watch.ended, `the reader left while page ${at} was written, and pages was not returned`);
      }
      const [first, second, third] = noisy(3);
      const watch = watched([first!, failingPage(second!, storageFailed()), third!]);
      await written(rig, watch.pages).catch(() => undefined);
      assert.ok(watch.ended, 'page 2 failed, and pages was not returned');
    },
  },
  {
    id: 'documents-apart',
    title: 'keeps documents apart that are written at the same time',
    async run(rig) {
      const sets = [0, 1, 2].map(set =>
        Array.from({ length: 3 + set }, (_, i) =>
          testDocumentPage({ pageNumber: i + 1, width: 30 + set * 10 + i, height: 50 - set, pixels: 'gray8' }),
        ),
      );
      const documents = await Promise.all(
        sets.map(async pages => {
          const chunks: Buffer[] = [];
          for await (const chunk of writing(rig, pages)) {
            chunks.push(chunk);
            await breathe();
          }
          return Buffer.concat(chunks);
        }),
      );
      for (const [i, bytes] of documents.entries())
        expectPages(await rig.readBack(bytes), sets[i]!, `document ${i + 1} of three at once`);
    },
  },
  {
    id: 'event-loop-free',
    title: 'keeps the event loop free while it writes a large page',
    hint: "Do the work in a worker thread (core's startThread and createWorkerPool), or with a library's own threads: an await around work that is synchronous does not free the loop.",
    async run(rig) {
      const content = noise(LARGE, 1);
      const pages = [
        testDocumentPage({ content }),
        testDocumentPage({ content, mimeType: 'image/jpeg' }),
        testDocumentPage({ content, mimeType: 'image/tiff', turn: 90 }),
      ];
      for (const page of pages) {
        const what = `writing a page of ${page.width} x ${page.height} pixels, ${page.mimeType},`;
        await keepsLoopFree(what, () => written(rig, watched([page]).pages));
      }
    },
  },
  {
    id: 'memory-bounded',
    title: `holds no more after ${MANY} pages than after ${WARM}`,
    async run(rig) {
      function* pages(): Generator<DocumentPage> {
        for (let i = 0; i < MANY; i++) {
          const mimeType = i % 10 === 0 ? 'image/png' : i % 3 === 0 ? 'image/jpeg' : 'image/tiff';
          yield testDocumentPage({ pageNumber: i + 1, mimeType, content: noise(SIDE, i) });
        }
      }
      const held: number[] = [];
      const { pages: given } = watched(pages(), async index => {
        if (index === WARM || index === MANY) held.push(await heldBytes());
      });
      for await (const _ of writing(rig, given));
      const grown = held[1]! - held[0]!;
      // A format that keeps its pages, in whatever form, keeps at least a quarter of noise.
      const allowed = ((MANY - WARM) * SIDE * SIDE) / 4;
      assert.ok(grown < allowed, `it held ${grown} bytes more after ${MANY} pages than after ${WARM}`);
    },
  },
];

/** Pages of a file of 10 kB each. */
function noisy(count: number): TestDocumentPage[] {
  return Array.from({ length: count }, (_, i) => testDocumentPage({ pageNumber: i + 1, content: noise(100, i) }));
}

/** The reader takes a chunk after the page was requested, and no more. */
async function leaveAt(pageNumber: number, rig: DocumentRig, watch: Watch): Promise<void> {
  for await (const _ of writing(rig, watch.pages)) if (watch.requested >= pageNumber) return;
}

/** The same file; each slice is overwritten by the next request, and so is the last one. */
function overwriting(page: DocumentPage): DocumentPage {
  return {
    ...page,
    async *read() {
      let last: Uint8Array | undefined;
      for await (const slice of page.read()) {
        last = slice;
        yield slice;
        last.fill(0xee);
      }
    },
  };
}

/** Bytes that JavaScript holds, without garbage. */
async function heldBytes(): Promise<number> {
  setFlagsFromString('--expose-gc');
  const collect = runInNewContext('gc') as () => void;
  for (let i = 0; i < 2; i++) {
    await breathe();
    collect();
  }
  const { heapUsed, external } = process.memoryUsage();
  return heapUsed + external;
}
