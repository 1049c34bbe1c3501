/** The questions of eSCL to one device, and its answers read. */
import type { IncomingHttpHeaders } from 'node:http';
import type { Measure } from './body.js';
import { EsclFault } from './esclFault.js';
import { readMachine, type Machine } from './machine.js';
import { locationOf, pathOf, queryOf, readScannerStatus, type ScannerStatus } from './scannerStatus.js';
import type { Deadlines } from './settings.js';
import type { Answer, Wire } from './wire.js';
import { MOST_XML_BYTES } from './xml.js';

export interface Talk {
  machine(signal: AbortSignal): Promise<Machine>;
  /** Undefined where the device is too busy to say (503). */
  status(signal: AbortSignal): Promise<ScannerStatus | undefined>;
  /** @returns the job's path, with its query where it has one, or the status with which it was refused */
  begin(settings: string, signal: AbortSignal): Promise<{ readonly job: string } | Refused>;
  next(job: string, most: number, measure: Measure, signal: AbortSignal): Promise<Answer>;
  /** Ends a job. One whose end the device did not hear is ended before the next one begins. */
  end(job: string): Promise<void>;
  close(): void;
}

export interface Refused {
  readonly status: number;
  /** Milliseconds, where the device says so. */
  readonly again: number | undefined;
}

/**
 * @param root the path of the service, without a slash at its end: `/eSCL`
 * @param unended the jobs whose end the device did not hear, kept from one session to the next
 */
export function createTalk(wire: Wire, root: string, deadlines: Deadlines, unended: Set<string>): Talk {
  async function end(job: string): Promise<void> {
    unended.add(job);
    const signal = AbortSignal.timeout(deadlines.end);
    const heard = wire.ask({ method: 'DELETE', path: job, most: MOST_XML_BYTES, silence: deadlines.end, signal });
    await heard.then(() => unended.delete(job), () => undefined);
  }

  async function read<T>(what: string, of: (bytes: Uint8Array, server: string | undefined) => T, silence: number, signal: AbortSignal): Promise<T | undefined> {
    const { status, headers, body } = await within(silence, signal, its => wire.ask({ method: 'GET', path: `${root}/${what}`, most: MOST_XML_BYTES, silence, signal: its }));
    if (status === 503) return undefined;
    if (status === 400) throw new EsclFault('bad request', `it does not take the question for its ${what} (HTTP 400)`);
    if (status !== 200) throw new EsclFault('not understood', `it answers ${status} where its ${what} should be`);
    try {
      return of(body, [headers.server].flat()[0]);
    } catch (error) {
      throw new EsclFault('not understood', error instanceof Error ? error.message : String(error), { cause: error });
    }
  }

  return {
    async machine(signal) {
      const machine = await read('ScannerCapabilities', readMachine, deadlines.answer, signal);
      if (!machine) throw new EsclFault('busy', 'it is too busy to say what it can do (HTTP 503)');
      return machine;
    },
    status: signal => read('ScannerStatus', bytes => readScannerStatus(bytes), deadlines.status, signal),
    async begin(settings, signal) {
      for (const job of unended) await end(job);
      const { status, headers } = await wire.ask({ method: 'POST', path: `${root}/ScanJobs`, body: settings, most: MOST_XML_BYTES, silence: deadlines.silence, signal });
      if (status < 200 || status > 299) return { status, again: retryAfter(headers) };
      const job = locationOf(headers.location ?? '', `${root}/ScanJobs`);
      if (job === undefined) throw new EsclFault('not understood', 'it began a scan without saying where its pages are');
      return { job };
    },
    next: (job, most, measure, signal) => wire.ask({ method: 'GET', path: `${pathOf(job)}/NextDocument${queryOf(job)}`, most, silence: deadlines.silence, signal, measure }),
    end,
    close: () => wire.close(),
  };
}

/** A document that trickles is no better than one that does not come. */
async function within<T>(ms: number, signal: AbortSignal, ask: (signal: AbortSignal) => Promise<T>): Promise<T> {
  // Not AbortSignal.timeout: nothing holds it behind AbortSignal.any, and collected as garbage it never ends anything (Node 20).
  const late = new AbortController();
  const timer = setTimeout(() => late.abort(new EsclFault('silent', `no answer came from it within ${ms / 1000} s`)), ms);
  try {
    return await ask(AbortSignal.any([signal, late.signal]));
  } finally {
    clearTimeout(timer);
  }
}

const LONGEST_WAIT = 30_000;
const SHORTEST_WAIT = 50;

/** Milliseconds of a Retry-After; a date is as good as none, since devices' clocks are wrong. */
export function retryAfter(headers: IncomingHttpHeaders): number | undefined {
  const text = headers['retry-after']?.trim() ?? '';
  return /^\d{1,6}$/.test(text) ? Math.min(Math.max(Number(text) * 1000, SHORTEST_WAIT), LONGEST_WAIT) : undefined;
}
