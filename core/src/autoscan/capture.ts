/** One capture of auto-scan: moves the sheets in the feeder, page by page, into the outbox. */
import { ScanError } from '../contract/errors.js';
import type { ScanNote } from '../pipeline/notes.js';
import type { ScanOptions } from '../pipeline/scanOptions.js';
import type { OpenDevice } from '../scanning/openDevice.js';
import { startScan, type ScanParts } from '../scanning/scanRun.js';
import { unlessAborted } from '../time/wait.js';
import type { StoredPage } from '../kept/storedPage.js';
import type { Outbox } from '../outbox/outbox.js';
import type { Box } from './box.js';

export interface CaptureResult {
  /** Number of pages that went into the outbox. */
  readonly pages: number;
  /** The device or the service failed, or the feeder was empty; undefined after a requested stop. */
  readonly failed: boolean;
  readonly failure: ScanError | undefined;
}

export interface Capture {
  /** Never rejects. */
  readonly over: Promise<CaptureResult>;
  /** Feeds nothing more; pages in the path still come out. */
  stop(): void;
}

export interface CaptureInput {
  readonly scanner: OpenDevice;
  readonly options: ScanOptions;
  /** Its pages are numbered with those of its series. */
  readonly box: Pick<Box, 'outbox' | 'store' | 'origins' | 'put'>;
  note(note: ScanNote): void;
}

export function startCapture(input: CaptureInput, parts: ScanParts): Capture {
  const { scanner, options, box, note } = input;
  const { outbox, store } = box;
  let pages = 0;
  let stopped = false;
  const run = startScan(
    {
      kind: 'auto-scan',
      scannerName: scanner.known.name,
      origins: box.origins,
      locate: async () => scanner.known,
      options,
      note,
      // Feed a sheet only when the one before it is stored.
      ahead: 0,
      paper: 'loaded',
      // The next capture needs the scanner open, without a client opening it again.
      reopens: true,
      async keep(finished, stop) {
        const turn = outbox.series.take();
        try {
          const { stored, problem } = await store.keep({ ...finished, pageNumber: turn.number }, options.report);
          // Announce and count a page only when it is stored.
          await turn.comes;
          pages++;
          box.put(turn.number, stored);
          if (problem) return problem;
        } finally {
          turn.done();
        }
        await roomOrStop(outbox, stop);
        return undefined;
      },
    },
    parts,
  );

  return {
    over: run.over.then(failure => {
      const ended = stopped && failure?.code === 'cancelled';
      return { pages, failed: !ended && (failure !== undefined || pages === 0), failure: ended ? undefined : failure };
    }),
    stop() {
      stopped = true;
      run.end(new ScanError('cancelled', 'Auto-scan ends this capture.'));
    },
  };
}

/** Resolves when another page may be pulled, or when feeding stops and the path must be emptied. */
async function roomOrStop(outbox: Outbox<StoredPage>, stop: AbortSignal): Promise<void> {
  if (outbox.hasRoom || stop.aborted) return;
  await unlessAborted(outbox.room(), stop).catch(() => undefined);
}
