/** One scan in the running service: starts it, fetches each page when it is announced, and lets the scan go. */
import { randomUUID } from 'node:crypto';
import { codeOf, messageOf, ScanError, type FinishedPage, type ScanNote } from '@platen/core';
import { NoReply } from '../../ask.js';
import { httpCodeOf, type HttpCode } from '../../http/errors.js';
import type { BackendRequest, BackendRun, WritePage } from './backend.js';
import { nextEvent, withoutStart, type ServiceCalls } from './serviceCalls.js';

/** Its driver decides how long a scanner takes to open. */
const START_MS = 10 * 60_000;

interface StateJson {
  readonly state: 'running' | 'completed' | 'failed' | 'cancelled' | 'interrupted';
  readonly code?: string;
  readonly error?: string;
  readonly notes: readonly ScanNote[];
}

interface PageJson extends Omit<FinishedPage, 'pageNumber' | 'dpi' | 'data' | 'processing'> {
  readonly number: number;
  readonly resolution: number;
  readonly bytes: number;
  readonly sha256: string;
  readonly url: string;
}

export interface ServiceScanParts {
  readonly calls: ServiceCalls;
  readonly write: WritePage;
  /** Says how to get the pages of a scan that are not written. @param pages absent: it is not known which */
  leftOver(id: string, pages?: readonly number[]): string;
}

export function startServiceScan(request: BackendRequest, { calls, write, leftOver }: ServiceScanParts): BackendRun {
  const notes: ScanNote[] = [];
  /** Also the request's id: a scan that has not begun is cancelled by that. */
  const key = randomUUID();
  let id: string | undefined;
  let stopped: ScanError | undefined;
  /** The first page's that is not written. */
  let problem: ScanError | undefined;
  const unwritten: number[] = [];

  /** If it fails, the end of the scan is awaited all the same. */
  const cancel = async (): Promise<void> => {
    const cancelled =
      id === undefined
        ? calls.json('/api/twain/cancel', { body: { requestId: key } })
        : calls.json(`/api/scans/${id}/cancel`, { method: 'POST' });
    await cancelled.catch(() => undefined);
  };

  async function start(): Promise<string> {
    const { scannerName, parameters } = request;
    const body = { scannerName, parameters: { ...parameters, report: true }, requestId: key };
    const asked = { body, headers: { 'idempotency-key': key }, timeoutMs: START_MS };
    const scan = await calls.patiently(() => calls.json<{ id: string }>('/api/scans', asked));
    return scan.id;
  }

  /** Writes each page. @returns the scan's last state */
  async function follow(path: string): Promise<StateJson> {
    let last: string | undefined;
    return calls.patiently(async onProgress => {
      const events = await calls.events(`${path}/events`, last);
      try {
        for (;;) {
          const { event, id: eventId, data } = await nextEvent(events);
          onProgress();
          const state = data as StateJson;
          if (event === 'state' && state.state !== 'running') return state;
          if (event !== 'page') continue;
          await take(data as PageJson);
          last = eventId;
        }
      } finally {
        events.close();
      }
    });
  }

  /** @throws {NoReply} */
  async function take(page: PageJson): Promise<void> {
    const failure = await fetchPage(page).then(write, (error: unknown) => {
      if (error instanceof NoReply) throw error;
      return new ScanError(codeOf(error) ?? 'internal', messageOf(error), { cause: error });
    });
    if (!failure) return;
    // As in this process: nothing more is fed, and later pages may find room.
    problem ??= failure;
    unwritten.push(page.number);
    void cancel();
  }

  async function fetchPage({ number, resolution, bytes, sha256, url, ...facts }: PageJson): Promise<FinishedPage> {
    const data = await calls.bytes(url, bytes);
    const digest = Buffer.from(await crypto.subtle.digest('SHA-256', data)).toString('hex');
    if (digest !== sha256)
      throw new ScanError('storage-failed', `Page ${number} did not arrive as the service stored it.`);
    return { ...facts, pageNumber: number, dpi: resolution, data, processing: [] };
  }

  async function run(): Promise<ScanError | undefined> {
    try {
      id = await start();
    } catch (error) {
      if (error instanceof NoReply)
        return lost(error, 'If the scan has begun, its pages wait in the service: GET /api/scans lists them.');
      if (isCode(error, 'unknown-path')) throw olderRelease(error);
      const code = codeOf(error);
      if (code === undefined) throw error;
      // A scan that was cancelled before paper moved is refused as busy.
      return code === 'busy' && stopped ? stopped : (error as ScanError);
    }
    if (stopped) void cancel();
    const path = `/api/scans/${id}`;
    let state: StateJson;
    try {
      state = await follow(path);
    } catch (error) {
      await cancel();
      if (error instanceof NoReply) return lost(error, leftOver(id));
      if (isCode(error, 'scan-not-found')) return gone(error);
      return new ScanError(codeOf(error) ?? 'internal', `${messageOf(error)} ${leftOver(id)}`, { cause: error });
    }
    notes.push(...state.notes.map(withSays));
    if (problem)
      return new ScanError(problem.code, `${problem.message} ${leftOver(id, unwritten)}`, { cause: problem });
    // If this fails, the scan goes when its time is up.
    await calls.json(path, { method: 'DELETE' }).catch(() => undefined);
    return endOf(state, stopped);
  }

  return {
    notes,
    over: run(),
    async end(reason) {
      if (stopped) return;
      stopped = reason;
      await cancel();
    },
  };
}

function lost(error: NoReply, leftOver: string): ScanError {
  const text = `The service ended during the scan, or does not answer (${error.message}). ${leftOver}`;
  return new ScanError('service-ended', text, { cause: error });
}

function gone(error: unknown): ScanError {
  const text = 'The service no longer has the scan. Without scans.keep, its restart ends every scan.';
  return new ScanError('service-ended', text, { cause: error });
}

function olderRelease(error: unknown): Error {
  const text = 'The service is of an older release, through which this command cannot scan. Restart the service.';
  return Object.assign(new Error(text, { cause: error }), { code: 'data-folder-in-use' });
}

const isCode = (error: unknown, code: HttpCode): boolean => httpCodeOf(error) === code;

/** Why a scan ended, whose pages are all written. */
function endOf({ state, code, error }: StateJson, stopped: ScanError | undefined): ScanError | undefined {
  if (state === 'completed') return undefined;
  if (state === 'cancelled' && stopped) return stopped;
  if (state === 'interrupted')
    return new ScanError('service-ended', 'The service ended during the scan. Scan the rest again.');
  return new ScanError(codeOf({ code }) ?? 'internal', error ?? 'The scan failed, and the service gave no reason.');
}

/** A note whose text begins with its field's name has the rest of the text for other names. */
function withSays(note: ScanNote): ScanNote {
  const { field, text } = note;
  const says = field === undefined ? text : withoutStart(`${field} `, text);
  return says === text ? note : { ...note, says };
}
