/** Drivers that feed when they should not, or lose what they fed. */
import { type Page, ScanError } from '@platen/core/plugin';
import { deafTo, withScan, withSession, type BrokenDriver } from './brokenDriver.js';

/** A page that the driver requests too early; a failure of that request is ignored. */
function early(pages: AsyncIterator<Page>): Promise<IteratorResult<Page>> {
  const next = pages.next();
  next.catch(() => {});
  return next;
}

const busy = () => new ScanError('busy', 'still scanning');

export const driverFeeding: readonly BrokenDriver[] = [
  {
    breaks: '1-feeds-nothing-before-the-first-pull',
    how: 'starts the motor when scan is called',
    says: /before the first pull the feeder should hold 2 sheets, but holds 1/,
    make: withScan(({ scan }) => {
      const pages = scan();
      const first = early(pages);
      return (async function* () {
        const { done, value } = await first;
        if (!done) yield value;
        yield* pages;
      })();
    }),
  },
  {
    breaks: '1-feeds-no-sheet-that-was-not-pulled',
    how: 'scans one sheet ahead',
    says: /after one sheet was pulled the feeder should hold 4 sheets, but holds 3/,
    make: withScan(async function* ({ scan }) {
      const pages = scan();
      for (let next = early(pages); ;) {
        const { done, value } = await next;
        if (done) return;
        next = early(pages);
        yield value;
      }
    }),
  },
  {
    breaks: '1-both-sides-are-one-feed',
    how: 'feeds the next sheet while the back is handed over',
    says: /after its back was pulled the feeder should hold 2 sheets, but holds 1/,
    make: withScan(async function* ({ scan }) {
      const pages = scan();
      for (let next = early(pages); ;) {
        const { done, value } = await next;
        if (done) return;
        if (value.side === 'front') yield value;
        next = early(pages);
        if (value.side === 'back') yield value;
      }
    }),
  },
  {
    breaks: '1-yields-every-sheet-that-it-fed',
    how: 'is continuous and drops what it overshot',
    says: /2 sheets left the feeder, but 1 were yielded/,
    make: withScan(dropping, { devices: [{ feeding: 'continuous' }] }),
  },
  {
    breaks: '1-sheets-is-the-most-to-feed',
    how: 'always empties the feeder',
    says: /pages of an order of one sheet: expected 'sheet 1 front', but got/,
    make: withScan(({ scan }) => scan({ sheets: Infinity })),
  },
  {
    breaks: '2-stop-feeds-nothing-more',
    how: 'does not know stop',
    says: /pages after stop between two sheets, with nothing in the path: expected 'no page'/,
    make: withScan(({ scan }) => scan({}, { stop: deafTo() })),
  },
  {
    breaks: '2-stop-yields-what-is-in-the-path',
    how: 'throws the sheet in the path away',
    says: /2 sheets left the feeder, but 1 were yielded/,
    make: withScan(async function* ({ scan, call }) {
      for await (const page of scan()) {
        if (call.stop.aborted) return;
        yield page;
      }
    }),
  },
  {
    breaks: '2-stop-yields-the-back-of-a-fed-sheet',
    how: 'stops between front and back',
    says: /whose back is in the path: expected 'sheet 1 back'/,
    make: withScan(dropping),
  },
  {
    breaks: '2-stop-before-the-scan-feeds-nothing',
    how: 'looks at stop after the first sheet only',
    says: /whose stop was aborted before the first pull: expected 'no page', but got/,
    make: withScan(({ scan, call }) => scan({}, { stop: call.stop.aborted ? deafTo() : call.stop })),
  },
  {
    breaks: '2-session-usable-after-stop',
    how: 'stays in its state after a stop',
    says: /after a stopped scan a new scan should succeed, but failed: busy/,
    make: withSession(session => {
      let stopped = false;
      return {
        async *scan(order, call) {
          if (stopped) throw busy();
          yield* session.scan(order, call);
          stopped = call.stop.aborted;
        },
      };
    }),
  },
  {
    breaks: '2-return-feeds-nothing-more',
    how: 'has a return() that does nothing',
    says: /after return\(\) the iterator still yields pages/,
    make: withScan(({ scan }) => {
      const pages = scan();
      const iterator: AsyncIterableIterator<Page> = {
        next: () => pages.next(),
        return: async () => ({ done: true, value: undefined }),
        [Symbol.asyncIterator]: () => iterator,
      };
      return iterator;
    }),
  },
  {
    breaks: '2-return-frees-the-session',
    how: 'does not clean up when the caller leaves the loop',
    says: /after return\(\) a new scan should succeed, but failed: busy/,
    make: withScan(async function* ({ scan }) {
      const pages = scan();
      for (;;) {
        const { done, value } = await pages.next();
        if (done) return;
        yield value;
      }
    }),
  },
];

async function* dropping({ scan, call }: Parameters<Parameters<typeof withScan>[0]>[0]): AsyncIterable<Page> {
  for await (const page of scan()) {
    yield page;
    if (call.stop.aborted) return;
  }
}
