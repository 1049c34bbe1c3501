/** One scan in the running service: starts it, follows it over connections that break, and says how it ended. */
import { randomUUID } from 'node:crypto';
import { codeOf, messageOf, ScanError, type FinishedPage, type KeptScan, type ScanNote } from '@platen/core';
import { NoReply } from '../../machine/ask.js';
import { httpCodeOf, type HttpCode } from '../../service/http/errors.js';
import type { BackendRequest, BackendRun } from './backend.js';
import { nextEvent, withoutStart, type ServiceCalls } from './serviceCalls.js';

/** Its driver decides how long a scanner takes to open. */
const START_MS = 10 * 60_000;

type StateJson = Pick<KeptScan, 'state' | 'code' | 'error' | 'notes'>;

/** A page as events give it. */
export interface ServicePage extends Omit<FinishedPage, 'pageNumber' | 'dpi' | 'data' | 'processing' | 'words'> {
  readonly number: number;
  readonly resolution: number;
  readonly bytes: number;
  readonly sha256: string;
  readonly url: string;
}

export interface ServiceRunParts {
  readonly calls: Omit<ServiceCalls, 'stream'>;
  /** Told of each page once, in order. @throws {NoReply} if it should be told again */
  take(page: ServicePage): Promise<void>;
  /** Says how to get the pages of a scan whose end is not known; absent: the caller says it. */
  leftOver?(id: string): string;
}

export interface ServiceRun extends Pick<BackendRun, 'notes' | 'end'> {
  /** The scan's id, before paper moves; undefined if it was not accepted. Never rejects. */
  readonly started: Promise<string | undefined>;
  /** Resolves when the scan is over and each page was taken. Rejects only if the command itself failed. */
  readonly over: Promise<ServiceEnd>;
  /** Feeds nothing more. Never rejects. */
  cancel(): Promise<void>;
}

export interface ServiceEnd {
  /** Why the scan failed. */
  readonly failure?: ScanError;
  /** The scan, if the service has it and it is over; it can then be let go. */
  readonly id?: string;
}

export function startServiceRun(
  request: BackendRequest,
  { calls, take, leftOver = () => '' }: ServiceRunParts,
): ServiceRun {
  const notes: ScanNote[] = [];
  /** Also the request's id: a scan that has not begun is cancelled by that. */
  const key = randomUUID();
  let id: string | undefined;
  let stopped: ScanError | undefined;

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
    id = scan.id;
    return id;
  }

  /** Takes each page. @returns the scan's last state */
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
          await take(data as ServicePage);
          last = eventId;
        }
      } finally {
        events.close();
      }
    });
  }

  /** Why the scan was not accepted. @throws if the command itself failed */
  function refusalOf(error: unknown): ScanError {
    if (error instanceof NoReply)
      return lost(error, 'If the scan has begun, its pages wait in the service: GET /api/scans lists them.');
    const code = codeOf(error);
    if (code === undefined) throw error;
    // A scan that was cancelled before paper moved is refused as busy.
    return code === 'busy' && stopped ? stopped : (error as ScanError);
  }

  async function run(starting: Promise<string>): Promise<ServiceEnd> {
    let own: string;
    try {
      own = await starting;
    } catch (error) {
      return { failure: refusalOf(error) };
    }
    if (stopped) void cancel();
    let state: StateJson;
    try {
      state = await follow(`/api/scans/${own}`);
    } catch (error) {
      await cancel();
      if (error instanceof NoReply) return { failure: lost(error, leftOver(own)) };
      if (isCode(error, 'scan-not-found')) return { failure: gone(error) };
      const text = `${messageOf(error)} ${leftOver(own)}`.trimEnd();
      return { failure: new ScanError(codeOf(error) ?? 'internal', text, { cause: error }) };
    }
    notes.push(...state.notes.map(withSays));
    const failure = endOf(state, stopped);
    return { id: own, ...(failure ? { failure } : {}) };
  }

  const starting = start();
  return {
    notes,
    started: starting.catch(() => undefined),
    over: run(starting),
    cancel,
    async end(reason) {
      if (stopped) return;
      stopped = reason;
      await cancel();
    },
  };
}

function lost(error: NoReply, leftOver: string): ScanError {
  const text = `The service ended during the scan, or does not answer (${error.message}). ${leftOver}`.trimEnd();
  return new ScanError('service-ended', text, { cause: error });
}

function gone(error: unknown): ScanError {
  const text = 'The service no longer has the scan. Without scans.keep, its restart ends every scan.';
  return new ScanError('service-ended', text, { cause: error });
}

const isCode = (error: unknown, code: HttpCode): boolean => httpCodeOf(error) === code;

/** Why a scan ended whose pages are all there. @param stopped why the command ended it */
export function endOf(
  { state, code, error }: Pick<StateJson, 'state' | 'code' | 'error'>,
  stopped: ScanError | undefined,
): ScanError | undefined {
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
