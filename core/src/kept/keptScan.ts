/** A scan as a resource: its pages stay until its client has them. */
import type { ErrorCode, ScanError } from '../contract/errors.js';
import type { KeepPage } from '../pipeline/keep.js';
import type { ScanNote } from '../pipeline/notes.js';
import type { ScanOptions } from '../pipeline/scanOptions.js';
import type { ScanRequest } from '../scanning/onDemand.js';
import { createNotifier } from '../time/notifier.js';
import { isDate } from './age.js';
import type { PageStore, StoredPage } from './storedPage.js';

export const scanStates = ['running', 'completed', 'failed', 'cancelled', 'interrupted'] as const;
/** `interrupted`: the service ended while it ran. */
export type ScanState = (typeof scanStates)[number];

export interface ScanProgress {
  /** Pages that the scanner has delivered. */
  readonly scanned: number;
  /** Pages that are stored. */
  readonly finished: number;
}

export interface KeptScan {
  /** Cannot be guessed. */
  readonly id: string;
  /** Origins that own it: of web pages, and the empty origin for programs. */
  readonly origins: readonly string[];
  readonly kind: 'scan' | 'autoscan';
  readonly scannerName: string;
  readonly requestId?: string;
  /** As requested; absent for an auto-scan. */
  readonly options?: ScanOptions;
  /** Milliseconds since 1970. */
  readonly createdAt: number;
  readonly state: ScanState;
  /** Why it is not running or completed, for programs. */
  readonly code?: ErrorCode | undefined;
  /** The same as a sentence. */
  readonly error?: string | undefined;
  readonly notes: readonly ScanNote[];
  readonly pages: readonly StoredPage[];
  readonly progress: ScanProgress;
  /** Resolves when anything of it changes. */
  changed(): Promise<void>;
}

/** Scans that another part of the service keeps. */
export interface OtherScans {
  /** Those with undelivered pages. */
  list(origin: string): readonly KeptScan[];
  find(origin: string, id: string): KeptScan | undefined;
  /** No effect if the scan is not one of these. */
  release(scan: KeptScan): Promise<void>;
}

/** The part of a scan that is stored beside its pages. */
export interface ScanFacts {
  readonly id: string;
  readonly origin: string;
  readonly createdAt: number;
  /** Milliseconds since 1970; absent while it runs. */
  readonly endedAt?: number | undefined;
  /** See `leftOf`. */
  readonly isLate?: true | undefined;
  readonly request: ScanRequest;
  /** The client's key for the request, and the request's text. */
  readonly key?: string;
  readonly body?: string;
  readonly state: ScanState;
  readonly code?: ErrorCode | undefined;
  readonly error?: string | undefined;
  readonly notes: readonly ScanNote[];
}

export function isScanFacts(value: unknown): value is ScanFacts {
  const { id, origin, createdAt, request, state, notes, ...more } = (value ?? {}) as Partial<ScanFacts>;
  const texts = [more.code, more.error, more.key, more.body, request?.requestId];
  return (
    typeof id === 'string' &&
    typeof origin === 'string' &&
    isDate(createdAt) &&
    typeof request?.scannerName === 'string' &&
    typeof request.options === 'object' &&
    request.options !== null &&
    scanStates.some(each => each === state) &&
    Array.isArray(notes) &&
    notes.every(isNote) &&
    (more.endedAt === undefined || isDate(more.endedAt)) &&
    texts.every(each => each === undefined || typeof each === 'string')
  );
}

function isNote(value: unknown): boolean {
  const { code, text, field = '' } = (value ?? {}) as Partial<ScanNote>;
  return [code, text, field].every(each => typeof each === 'string');
}

/** How a scan ends. */
export type ScanOutcome = Pick<ScanFacts, 'state' | 'code' | 'error' | 'notes'>;

/** A kept scan for the collection that runs it. */
export interface ScanRecord extends KeptScan {
  readonly facts: ScanFacts;
  readonly store: PageStore<ScanFacts>;
  /** Bytes of its pages. */
  readonly bytes: number;
  /** Whether its client has every page. */
  readonly isDelivered: boolean;
  /** Stores each page, numbered after those that are there. */
  sink(onStored: () => void): { readonly keep: KeepPage; onScanned(): void };
  /** Stores that it runs. @throws `storage-failed`; it then stays as it was */
  begin(): Promise<void>;
  /** Shows clients the facts that are stored. */
  show(): void;
  /** Removes its pages; a key may still name it. Never rejects. @returns why it is still there, if it is */
  remove(): Promise<ScanError | undefined>;
}

export function createScanRecord(store: PageStore<ScanFacts>): ScanRecord {
  const pages = [...store.found];
  const change = createNotifier();
  let scanned = pages.length;
  /** As clients see it: what is on disk. */
  let shown: ScanOutcome = store.facts;
  return {
    store,
    get facts() {
      return store.facts;
    },
    get id() {
      return store.facts.id;
    },
    get origins() {
      return [store.facts.origin];
    },
    kind: 'scan',
    get scannerName() {
      return store.facts.request.scannerName;
    },
    options: store.facts.request.options,
    ...(store.facts.request.requestId === undefined ? {} : { requestId: store.facts.request.requestId }),
    get createdAt() {
      return store.facts.createdAt;
    },
    get state() {
      return shown.state;
    },
    get code() {
      return shown.code;
    },
    get error() {
      return shown.error;
    },
    get notes() {
      return shown.notes;
    },
    pages,
    get progress() {
      return { scanned, finished: pages.length };
    },
    get bytes() {
      return pages.reduce((sum, { size }) => sum + size, 0);
    },
    get isDelivered() {
      return pages.every(({ delivered }) => delivered);
    },
    sink(onStored) {
      const [last] = pages.slice(-1);
      const { pageNumber: after, sheet: sheets } = last?.page ?? { pageNumber: 0, sheet: 0 };
      return {
        async keep(page) {
          const { pageNumber, sheet } = page;
          const numbered = { ...page, pageNumber: after + pageNumber, sheet: sheets + sheet };
          const { stored, problem } = await store.keep(numbered, store.facts.request.options.report);
          pages.push(stored);
          onStored();
          change.notify();
          return problem;
        },
        onScanned() {
          scanned++;
          change.notify();
        },
      };
    },
    async begin() {
      await store.begin({ state: 'running', code: undefined, error: undefined, endedAt: undefined, isLate: undefined });
      shown = store.facts;
      change.notify();
    },
    show() {
      shown = store.facts;
      scanned = pages.length;
      change.notify();
    },
    async remove() {
      const removed = store.remove();
      const had = pages.splice(0);
      change.notify();
      const problem = await removed;
      if (problem) pages.push(...had);
      return problem;
    },
    changed: change.wait,
  };
}

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
