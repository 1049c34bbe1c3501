/** The running job: one scan, or auto-scan. Pages go to the list as they arrive, also those of a scan that fails. */
import { PlatenError, type Note, type ScannedPage, type ScanParameters } from '../client.js';
import { beginActivity, type Activity } from './activity.js';
import { announce } from './announcer.js';
import { showHealth } from './health.js';
import { clear, show, showFailure } from './notices.js';
import type { Service } from './service.js';
import { countOf, secondsWord } from './words.js';

export interface JobParts {
  readonly service: Service;
  /** @param live from auto-scan: the user may be looking at another page */
  onPages(pages: readonly ScannedPage[], scanner: string, live: boolean): void;
  /** Undefined: no job is running. */
  onState(kind: 'scan' | 'auto' | undefined): void;
}

export interface JobOptions {
  readonly scanner: string;
  readonly parameters: ScanParameters;
  readonly takesInsertions: boolean;
}

export interface Job {
  scan(options: JobOptions): Promise<void>;
  autoScan(options: JobOptions): Promise<void>;
  /** Ends the running job. */
  end(): void;
}

/** How often to ask the service for the number of finished pages, ms. */
const ASK_MS = 250;

export function createJob({ service, onPages, onState }: JobParts): Job {
  let running: AbortController | undefined;
  const findings = async () => (await service.diagnose()).findings;

  /** One at a time. */
  async function only(
    kind: 'scan' | 'auto',
    { scanner, takesInsertions }: JobOptions,
    work: (activity: Activity, signal: AbortSignal) => Promise<void>,
  ): Promise<void> {
    if (running) return;
    const own = (running = new AbortController());
    clear();
    onState(kind);
    const activity = beginActivity({ kind, scanner, takesInsertions, onEnd: () => own.abort() });
    own.signal.addEventListener('abort', activity.ending);
    try {
      await work(activity, own.signal);
    } catch (error) {
      if (error instanceof PlatenError && error.pages.length > 0) onPages(error.pages, scanner, false);
      await showFailure(error, findings);
      if (error instanceof PlatenError && error.code === 'cancelled')
        announce(`The scan was cancelled. ${countOf(error.pages.length, 'page')} finished.`);
    } finally {
      activity.end();
      running = undefined;
      onState(undefined);
    }
  }

  return {
    scan: options =>
      only('scan', options, async (activity, signal) => {
        const requestId = crypto.randomUUID();
        const watch = watchProgress(service, requestId, count => {
          activity.pages(count);
          announce(`${countOf(count, 'page')} finished`);
        });
        try {
          const { pages, notes, elapsedMs } = await service.scan(options.scanner, options.parameters, {
            signal,
            requestId,
          });
          onPages(pages, options.scanner, false);
          // Report only the parameters that the service did not follow; the pages show the rest.
          const text = textOf(notes);
          const title = `${countOf(pages.length, 'page')} scanned in ${secondsWord(elapsedMs)}`;
          show('note', text ? { title, text } : { title });
        } finally {
          watch.end();
        }
      }),

    autoScan: options =>
      only('auto', options, async (activity, signal) => {
        let count = 0;
        const onConnection = (is: boolean): void => {
          activity.connected(is);
          void showHealth(service);
          announce(is ? 'Connected again' : 'Reconnecting to the scanning service');
        };
        const loop = service.autoScan(options.scanner, options.parameters, { signal, onConnection });
        void Promise.all([loop.message, loop.notes]).then(([message, notes]) => {
          if (message === undefined) return;
          const title = `Auto-scan is on: ${options.scanner} scans every document that you insert.`;
          const text = textOf(notes);
          if (text) show('note', { title, text });
          else announce(title);
        });
        for await (const page of loop) {
          activity.pages(++count);
          onPages([page], options.scanner, true);
          announce(`Page ${count} was scanned`);
        }
        show('note', {
          title: 'Auto-scan is off',
          text: `${countOf(count, 'page')} scanned. ${loop.end?.reason === 'disabled' ? loop.end.message : ''}`.trim(),
        });
      }),

    end: () => running?.abort(),
  };
}

const textOf = (notes: readonly Note[] = []): string => notes.map(({ text }) => text).join(' ');

/** Ignores a call that fails: the scan's own answer says what is wrong. */
function watchProgress(service: Service, requestId: string, onCount: (count: number) => void): { end(): void } {
  let ended = false;
  let seen = 0;
  const ask = async (): Promise<void> => {
    const count = await service.progress(requestId).catch(() => undefined);
    if (ended) return;
    if (count !== undefined && count > seen) onCount((seen = count));
    timer = setTimeout(() => void ask(), ASK_MS);
  };
  let timer = setTimeout(() => void ask(), ASK_MS);
  return {
    end() {
      ended = true;
      clearTimeout(timer);
    },
  };
}
