/** What is stored of a scan beside its pages. */
import type { ErrorCode, ScanError } from '../contract/errors.js';
import type { OutboxEnd } from '../outbox/outboxEnd.js';
import type { ScanNote } from '../pipeline/notes.js';
import type { ScanRequest } from '../scanning/onDemand.js';
import { isDate } from './age.js';

export const scanStates = ['running', 'completed', 'failed', 'cancelled', 'interrupted'] as const;
/** `interrupted`: the service ended while it ran. */
export type ScanState = (typeof scanStates)[number];

interface CommonFacts {
  /** A UUID of version 4, and the name of its folder: it cannot be guessed. */
  readonly id: string;
  /** Origins that own it: of web pages, and the empty origin for programs. Only an auto-scan may have several. */
  readonly origins: readonly string[];
  /** Milliseconds since 1970. */
  readonly createdAt: number;
  /** Milliseconds since 1970; absent while it runs, and if the service ended unexpectedly. */
  readonly endedAt?: number | undefined;
  /** See `leftOf`. */
  readonly isLate?: true | undefined;
}

/** Of a scan on demand. */
export interface ScanFacts extends CommonFacts {
  readonly kind: 'scan';
  readonly request: ScanRequest;
  /** The client's key for the request, and the request's text. */
  readonly key?: string;
  readonly body?: string;
  readonly state: ScanState;
  readonly code?: ErrorCode | undefined;
  readonly error?: string | undefined;
  readonly notes: readonly ScanNote[];
}

/** Of an auto-scan. Its pages are numbered from enable. */
export interface AutoscanFacts extends CommonFacts {
  readonly kind: 'autoscan';
  readonly scannerName: string;
  /** First part of its pages' ids in the event stream: 15 digits. */
  readonly series: string;
  /** Others were on at the same time: some numbers are of their pages. */
  readonly isShared?: true;
  /** Its pages stay when a reader has them: it is a scan for its owners while it is on, too. */
  readonly keeps?: true;
  /** Of one that keeps its pages: the client's own id. */
  readonly requestId?: string;
  readonly end?: OutboxEnd;
}

export type KeptFacts = ScanFacts | AutoscanFacts;

/** How a scan ends. */
export type ScanOutcome = Pick<ScanFacts, 'state' | 'code' | 'error' | 'notes'>;

/** The scan ended while the service ran. */
export function outcomeOf(failure: ScanError | undefined, notes: readonly ScanNote[]): ScanOutcome {
  if (!failure) return { state: 'completed', code: undefined, error: undefined, notes };
  const { code, message } = failure;
  if (code === 'service-ended') return { ...interrupted, notes };
  return { state: code === 'cancelled' ? 'cancelled' : 'failed', code, error: message, notes };
}

/** The service ended while the scan ran. */
export const interrupted = {
  state: 'interrupted',
  code: 'service-ended',
  error: 'The service ended during the scan. Its pages are kept: continue it, or scan the rest again.',
} as const;

const ID = /^[\da-f]{8}-[\da-f]{4}-4[\da-f]{3}-[89ab][\da-f]{3}-[\da-f]{12}$/;

/** Whether it is an id as scans have it: a UUID of version 4. */
export const isScanId = (text: string): boolean => ID.test(text);

const SERIES = /^\d{15}$/;
const areTexts = (values: readonly unknown[]): boolean => values.every(each => typeof each === 'string');
const isObject = (value: unknown): boolean => typeof value === 'object' && value !== null;

/** Whether a file has the facts of a scan. */
export function isKeptFacts(value: unknown): value is KeptFacts {
  const { id, kind, origins, createdAt, endedAt } = (value ?? {}) as Partial<KeptFacts>;
  return (
    typeof id === 'string' &&
    isScanId(id) &&
    Array.isArray(origins) &&
    origins.length > 0 &&
    areTexts(origins) &&
    isDate(createdAt) &&
    (endedAt === undefined || isDate(endedAt)) &&
    (kind === 'autoscan' ? isOfAutoscan(value as object) : kind === 'scan' && isOnDemand(value as object))
  );
}

function isOnDemand({ request, state, notes, ...more }: Partial<ScanFacts>): boolean {
  const texts = [more.code, more.error, more.key, more.body, request?.requestId].filter(each => each !== undefined);
  return (
    typeof request?.scannerName === 'string' &&
    isObject(request.options) &&
    scanStates.some(each => each === state) &&
    Array.isArray(notes) &&
    notes.every(isNote) &&
    areTexts(texts)
  );
}

function isOfAutoscan({ scannerName, series, isShared, keeps, requestId, end }: Partial<AutoscanFacts>): boolean {
  return (
    typeof scannerName === 'string' &&
    typeof series === 'string' &&
    SERIES.test(series) &&
    (isShared === undefined || isShared === true) &&
    (keeps === undefined || keeps === true) &&
    areTexts([requestId].filter(each => each !== undefined)) &&
    (end === undefined || (isObject(end) && areTexts([end.event, end.reason, end.message])))
  );
}

function isNote(value: unknown): boolean {
  const { code, text, field = '' } = (value ?? {}) as Partial<ScanNote>;
  return areTexts([code, text, field]);
}
