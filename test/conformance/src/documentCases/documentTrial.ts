/** Pages for a document, and what the suite sees while one is written. */
import assert from 'node:assert/strict';
import { setImmediate as breathe } from 'node:timers/promises';
import { ScanError, type Call, type DocumentOptions, type DocumentPage, type RawPage } from '@platen/core/plugin';
import type { DocumentRig, WrittenDocument } from '../documentRig.js';
import { expectEqual, thrownBy } from '../driverCases/expect.js';
import { calmCall } from '../pageTrials.js';

/** Grey noise, which no format makes much smaller. Different for each number. */
export function noise(side: number, number: number): RawPage {
  const data = new Uint8Array(side * side);
  let state = number + 1;
  for (let i = 0; i < data.length; i++) {
    state = (Math.imul(state, 1103515245) + 12345) >>> 0;
    data[i] = state >>> 24;
  }
  const size = { width: side, height: side, stride: side };
  return { kind: 'raw', sheet: number, side: 'front', dpi: 300, pixels: 'gray8', ...size, data };
}

/** How `pages` and the reads of its pages are used. */
export interface Watch {
  readonly pages: AsyncIterable<DocumentPage>;
  /** Pages requested so far. */
  readonly requested: number;
  /** Whether `pages` came to its end, threw, or was returned. */
  readonly ended: boolean;
  /** Reads that were begun and neither came to their end, nor were returned. */
  readonly open: number;
  /** The most reads at once. */
  readonly peak: number;
  /** Numbers of pages that were used after the next one had been requested. */
  readonly late: readonly number[];
}

/** @param onRequest is called before each page, and before the end */
export function watched(
  given: Iterable<DocumentPage>,
  onRequest: (index: number) => void | Promise<void> = () => undefined,
): Watch {
  let [requested, open, peak, ended] = [0, 0, 0, false];
  const late: number[] = [];
  const watch = (page: DocumentPage, index: number): DocumentPage => {
    const used = (): void => {
      if (requested !== index + 1) late.push(page.pageNumber);
    };
    return {
      ...page,
      async *read() {
        peak = Math.max(peak, ++open);
        try {
          used();
          for await (const slice of page.read()) {
            // A file is read by another thread.
            await breathe();
            used();
            yield slice;
          }
        } finally {
          open--;
        }
      },
      pixels() {
        used();
        return page.pixels();
      },
    };
  };
  async function* pages(): AsyncGenerator<DocumentPage, void> {
    let index = 0;
    try {
      for (const page of given) {
        await onRequest(index);
        requested++;
        yield watch(page, index++);
      }
      await onRequest(index);
      requested++;
    } finally {
      ended = true;
    }
  }
  return {
    pages: pages(),
    get requested() {
      return requested;
    },
    get ended() {
      return ended;
    },
    get open() {
      return open;
    },
    get peak() {
      return peak;
    },
    late,
  };
}

export const trialOptions: DocumentOptions = { createdAt: Date.UTC(2026, 3, 14, 10, 30), barcodes: false };

/** Chunks as they come, each copied before the next one is requested. */
export async function* writing(
  { format }: DocumentRig,
  pages: AsyncIterable<DocumentPage> | Iterable<DocumentPage>,
  options: Partial<DocumentOptions> = {},
  call: Call = calmCall(),
): AsyncGenerator<Buffer, void> {
  const given = Symbol.asyncIterator in pages ? pages : watched(pages).pages;
  for await (const chunk of format.write(given, { ...trialOptions, ...options }, call)) {
    assert.ok(chunk instanceof Uint8Array, `a chunk of a document is a Uint8Array, not a ${typeof chunk}`);
    yield Buffer.from(chunk);
  }
}

export async function written(...args: Parameters<typeof writing>): Promise<Buffer> {
  const chunks: Buffer[] = [];
  for await (const chunk of writing(...args)) chunks.push(chunk);
  return Buffer.concat(chunks);
}

/** Writes the pages, and reads them back. */
export async function readBack(rig: DocumentRig, ...args: DropFirst<typeof writing>): Promise<WrittenDocument> {
  return rig.readBack(await written(rig, ...args));
}

type DropFirst<F> = F extends (first: DocumentRig, ...rest: infer Rest) => unknown ? Rest : never;

/** Fails unless the reader sees these pages, as large as a viewer shows them. */
export function expectPages(document: WrittenDocument, pages: readonly DocumentPage[], what: string): void {
  expectEqual(document.pages.map(shownSize), pages.map(shownSize), `width and height of the pages as shown: ${what}`);
}

function shownSize({ width, height, turn }: Pick<DocumentPage, 'width' | 'height' | 'turn'>): [number, number] {
  return turn === 0 || turn === 180 ? [width, height] : [height, width];
}

/** What writing throws. `what` says why it should. */
export async function writingThrows(what: string, ...args: Parameters<typeof writing>): Promise<unknown> {
  return thrownBy(written(...args), `${what}: the format should throw`);
}

/** A page whose file cannot be read to its end: `read` fails after a slice, `pixels` at once. */
export function failingPage(page: DocumentPage, error: unknown): DocumentPage {
  return {
    ...page,
    async *read() {
      for await (const slice of page.read()) {
        yield slice;
        throw error;
      }
    },
    pixels: () => Promise.reject(error),
  };
}

export const storageFailed = (): ScanError => new ScanError('storage-failed', 'thrown by the contract suite');
