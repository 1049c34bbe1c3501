/** The eSCL requests to one device, and its responses, parsed. */
import type { IncomingHttpHeaders } from 'node:http';
import { settledWithin, unlessAborted } from '@platen/core/plugin';
import type { BodyLimit } from './responseBody.js';
import { EsclError } from './esclError.js';
import { readScannerCapabilities, type ScannerCapabilities } from '../protocol/scannerCapabilities.js';
import { locationOf, pathOf, queryOf, readScannerStatus, type ScannerStatus } from '../protocol/scannerStatus.js';
import type { Deadlines } from '../options.js';
import type { HttpClient, HttpResponse } from './httpClient.js';
import { MAX_XML_BYTES } from '../protocol/xml.js';

export interface EsclClient {
  capabilities(signal: AbortSignal): Promise<ScannerCapabilities>;
  /** Undefined if the device is too busy to answer (503). */
  status(signal: AbortSignal): Promise<ScannerStatus | undefined>;
  /**
   * POST ScanJobs. A job that the device begins although the signal came first is deleted: its answer is waited for,
   * at most `deadlines.end`, and looked at later too.
   * @returns the job's path, with its query, if any, or how the device refused
   */
  createJob(settings: string, signal: AbortSignal): Promise<{ readonly job: string } | Refusal>;
  /** GET NextDocument. */
  nextDocument(job: string, maxBytes: number, limit: BodyLimit, signal: AbortSignal): Promise<HttpResponse>;
  /** Deletes a job. A deletion that the device did not receive is repeated before the next job is created. */
  deleteJob(job: string): Promise<void>;
  close(): void;
}

/** @param server the Server header */
type Parser<T> = (bytes: Uint8Array, server: string | undefined) => T;

export interface Refusal {
  /** HTTP. */
  readonly status: number;
  /** Milliseconds, if the device sends Retry-After. */
  readonly retryAfter: number | undefined;
}

/**
 * @param root the path of the service, without a slash at its end: `/eSCL`
 * @param undeleted jobs whose deletion the device did not receive, kept from one session to the next
 */
export function createEsclClient(
  http: HttpClient,
  root: string,
  deadlines: Deadlines,
  undeleted: Set<string>,
): EsclClient {
  async function deleteJob(job: string): Promise<void> {
    undeleted.add(job);
    const signal = AbortSignal.timeout(deadlines.end);
    const deleted = http.request({
      method: 'DELETE',
      path: job,
      maxBytes: MAX_XML_BYTES,
      idleMs: deadlines.end,
      signal,
    });
    await deleted.then(
      () => undeleted.delete(job),
      () => undefined,
    );
  }

  async function read<T>(resource: string, parse: Parser<T>, ms: number, signal: AbortSignal): Promise<T | undefined> {
    const request = { method: 'GET', path: `${root}/${resource}`, maxBytes: MAX_XML_BYTES, idleMs: ms } as const;
    const { status, headers, body } = await within(ms, signal, inTime => http.request({ ...request, signal: inTime }));
    if (status === 503) return undefined;
    if (status === 400) throw new EsclError('bad request', `it rejects the request for its ${resource} (HTTP 400)`);
    if (status !== 200)
      throw new EsclError('malformed', `it answers the request for its ${resource} with HTTP ${status}`);
    try {
      return parse(body, [headers.server].flat()[0]);
    } catch (error) {
      throw new EsclError('malformed', error instanceof Error ? error.message : String(error), { cause: error });
    }
  }

  return {
    async capabilities(signal) {
      const capabilities = await read('ScannerCapabilities', readScannerCapabilities, deadlines.answer, signal);
      if (!capabilities) throw new EsclError('busy', 'it is too busy to send its capabilities (HTTP 503)');
      return capabilities;
    },
    status: signal => read('ScannerStatus', bytes => readScannerStatus(bytes), deadlines.status, signal),
    async createJob(settings, signal) {
      for (const job of undeleted) await deleteJob(job);
      const path = `${root}/ScanJobs`;
      const post = async (): Promise<{ readonly job: string } | Refusal> => {
        const { status, headers } = await http.request({
          method: 'POST',
          path,
          body: settings,
          maxBytes: MAX_XML_BYTES,
          idleMs: deadlines.silence,
          signal: new AbortController().signal,
        });
        if (status < 200 || status > 299) return { status, retryAfter: retryAfter(headers) };
        const job = locationOf(headers.location ?? '', path);
        if (job === undefined)
          throw new EsclError('malformed', 'it accepted the scan job without a Location for its pages');
        return { job };
      };
      signal.throwIfAborted();
      const posted = post();
      return unlessAborted(posted, signal).catch(async error => {
        if (!signal.aborted) throw error;
        // The device may have begun the job, and only its answer says which one to delete.
        const ended = posted.then(
          answer => ('job' in answer ? deleteJob(answer.job) : undefined),
          () => undefined,
        );
        await settledWithin(ended, deadlines.end);
        throw signal.reason;
      });
    },
    nextDocument: (job, maxBytes, limit, signal) =>
      http.request({
        method: 'GET',
        path: `${pathOf(job)}/NextDocument${queryOf(job)}`,
        maxBytes,
        idleMs: deadlines.silence,
        signal,
        limit,
      }),
    deleteJob,
    close: () => http.close(),
  };
}

/** A deadline for the whole response: a device that sends a byte now and then never runs into `idleMs`. */
async function within<T>(ms: number, signal: AbortSignal, send: (signal: AbortSignal) => Promise<T>): Promise<T> {
  // Not AbortSignal.timeout: AbortSignal.any holds it weakly, and it never fires once it is garbage-collected (Node 20).
  const late = new AbortController();
  const timer = setTimeout(
    () => late.abort(new EsclError('no response', `it did not answer within ${ms / 1000} s`)),
    ms,
  );
  try {
    return await send(AbortSignal.any([signal, late.signal]));
  } finally {
    clearTimeout(timer);
  }
}

const MAX_RETRY_MS = 30_000;
const MIN_RETRY_MS = 50;

/** Retry-After in milliseconds. A date counts as absent: devices' clocks are wrong. */
export function retryAfter(headers: IncomingHttpHeaders): number | undefined {
  const text = headers['retry-after']?.trim() ?? '';
  return /^\d{1,6}$/.test(text) ? Math.min(Math.max(Number(text) * 1000, MIN_RETRY_MS), MAX_RETRY_MS) : undefined;
}
