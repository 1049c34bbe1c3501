/** Drivers that mistake a signal, or who is scanning. */
import { delay } from '@platen/core/driver';
import { ScanError } from '@platen/core/plugin';
import { fakeRig } from '../fakeRig.js';
import { deafTo, withScan, withSession, type BrokenDriver } from './brokenDriver.js';

/** A session that is `busy` for ever after a scan failed. */
const stuckAfter = (failed: (code: string) => boolean) =>
  withSession(session => {
    let stuck = false;
    return {
      async *scan(order, call) {
        if (stuck) throw new ScanError('busy', 'still scanning');
        try {
          yield* session.scan(order, call);
        } catch (error) {
          stuck = error instanceof ScanError && failed(error.code);
          throw error;
        }
      },
    };
  });

export const driverAbandoning: readonly BrokenDriver[] = [
  {
    breaks: '3-signal-throws-its-reason',
    how: 'ends as if all were scanned',
    says: /abandoned while a page is awaited should throw signal\.reason, but ended without a failure/,
    make: withScan(async function* ({ scan, call }) {
      try {
        yield* scan();
      } catch (error) {
        if (!call.signal.aborted) throw error;
      }
    }),
  },
  {
    breaks: '3-signal-throws-its-reason',
    how: 'throws an error of its own',
    says: /should throw signal\.reason itself, but threw driver-failed \(scan aborted\)/,
    make: withScan(async function* ({ scan }) {
      try {
        yield* scan();
      } catch {
        throw new ScanError('driver-failed', 'scan aborted');
      }
    }),
  },
  {
    breaks: '3-signal-between-pulls-throws-its-reason',
    how: 'does not know signal',
    says: /abandoned between two pulls should throw signal\.reason, but yielded sheet 2 front/,
    make: withScan(({ scan }) => scan({}, { signal: deafTo() })),
  },
  {
    breaks: '3-signal-feeds-nothing-more',
    how: 'feeds once more before it looks at the signal',
    says: /after signal between two pulls the feeder should hold 4 sheets, but holds 3/,
    make: withScan(({ scan }) => scan({}, { signal: deafTo() })),
  },
  {
    breaks: '3-session-usable-after-signal',
    how: 'is stuck after a signal',
    says: /after signal a new scan should succeed, but failed: busy/,
    make: stuckAfter(code => code === 'cancelled'),
  },
  {
    breaks: '3-signal-ends-a-hang',
    how: 'waits for the device for ever',
    says: /a hanging scan that is abandoned should throw signal\.reason, but: page 2 of the scan: nothing came within 2 s/,
    features: { timeoutMs: 2000 },
    make: () => fakeRig({ deaf: true }),
  },
  {
    breaks: '3-abandoned-while-it-starts',
    how: 'leaves a job that it began and never heard of',
    says: /abandoned \d+ ms after its first pull a new scan should succeed, but failed: busy/,
    make: withSession(session => {
      let isBusy = false;
      return {
        async *scan(order, call) {
          if (isBusy) throw new ScanError('busy', 'a job is running');
          isBusy = true;
          await delay(50, call.signal);
          isBusy = false;
          yield* session.scan(order, call);
        },
      };
    }),
  },
  {
    breaks: '3-signal-ends-a-hang-of-the-flatbed',
    how: 'waits for the lamp of its flatbed, and for no signal',
    says: /a hanging scan of the flatbed that is abandoned should throw signal\.reason, but: page 1 of the scan: nothing came/,
    features: { timeoutMs: 2000 },
    make: withScan(({ scan, order }) => scan({}, order.source === 'flatbed' ? { signal: deafTo() } : {})),
  },
  {
    breaks: '3-aborted-scan-throws-at-once',
    how: 'listens for a signal that has gone by',
    says: /a scan with an aborted signal should throw signal\.reason, but ended after sheet 1 front, sheet 2 front/,
    make: withScan(({ scan, call }) => scan({}, { signal: call.signal.aborted ? deafTo() : call.signal })),
  },
  {
    breaks: '4-second-scan-is-busy',
    how: 'ends a second scan without a word',
    says: /a second scan while the first is running should fail with busy, but ended after no page/,
    make: withSession(session => {
      let scanning = false;
      return {
        async *scan(order, call) {
          if (scanning) return;
          scanning = true;
          yield* session.scan(order, call);
        },
      };
    }),
  },
  {
    breaks: '4-empty-feeder-is-no-paper',
    how: 'takes an empty feeder for the end',
    says: /a scan from an empty feeder should fail with no-paper, but ended after no page/,
    make: withScan(async function* ({ scan }) {
      try {
        yield* scan();
      } catch (error) {
        if (!(error instanceof ScanError && error.code === 'no-paper')) throw error;
      }
    }),
  },
  {
    breaks: '4-session-usable-after-no-paper',
    how: 'is stuck after no-paper',
    says: /after no-paper a new scan should succeed, but failed: busy/,
    make: stuckAfter(code => code === 'no-paper'),
  },
  {
    breaks: '4-iterable-ends-after-last-sheet',
    how: 'takes the end for a failure',
    says: /after the last sheet the iterable should end, but it throws: no-paper/,
    make: withScan(async function* ({ scan }) {
      yield* scan();
      throw new ScanError('no-paper', 'no more sheets');
    }),
  },
  {
    breaks: '4-glass-yields-one-page',
    how: 'scans the flatbed again',
    says: /pages of a flatbed scan: expected 'sheet 1 front', but got/,
    make: withScan(async function* ({ scan }) {
      yield* scan();
      yield* scan();
    }),
  },
  {
    breaks: '9-faults-arrive-with-their-code',
    how: "passes its library's error on",
    says: /a scan that meets paper-jam failed with no known code \(condition code 20\)/,
    make: withScan(async function* ({ scan }) {
      try {
        yield* scan();
      } catch {
        throw new Error('condition code 20');
      }
    }),
  },
  {
    breaks: '9-faults-arrive-with-their-code',
    how: 'takes a jam for the end',
    says: /a scan whose sheet 2 meets paper-jam should fail with it, but ended after sheet 1 front/,
    make: withScan(async function* ({ scan }) {
      try {
        yield* scan();
      } catch {
        return;
      }
    }),
  },
  {
    breaks: '9-usable-after-a-fault',
    how: 'is stuck after a double feed',
    says: /after double-feed a new scan should succeed, but failed: busy/,
    make: stuckAfter(code => code === 'double-feed'),
  },
  {
    breaks: '9-flatbed-faults-arrive-with-their-code',
    how: 'calls every failure of its flatbed the same',
    says: /a scan of the flatbed that meets cover-open should fail with cover-open, but failed: driver-failed/,
    make: withScan(async function* ({ scan, order }) {
      try {
        yield* scan();
      } catch (error) {
        throw order.source === 'flatbed' ? new ScanError('driver-failed', 'the lamp did not move') : error;
      }
    }),
  },
  {
    breaks: '9-flatbed-faults-arrive-with-their-code',
    how: 'knows failures of its feeder only',
    says: /a scan of the flatbed that meets cover-open should fail with cover-open, but ended after no page/,
    make: withScan(async function* ({ scan, order }) {
      try {
        yield* scan();
      } catch (error) {
        if (order.source !== 'flatbed') throw error;
      }
    }),
  },
  {
    breaks: '9-flatbed-usable-after-a-fault',
    how: 'is stuck after its cover was open',
    says: /after cover-open on the flatbed a new scan should succeed, but failed: busy/,
    make: stuckAfter(code => code === 'cover-open'),
  },
];
