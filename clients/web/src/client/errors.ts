/** Failures as codes: test `code`, show `message`. */
import type { ScannedPage } from './shapes.js';

/**
 * | code | when |
 * |---|---|
 * | `no-answer` | the request did not reach the service, or its answer was incomplete: `diagnose()` says why |
 * | `wrong-version` | the service does not know the call: it is older than this module |
 * | `unexpected-answer` | the answer is not from the service, or is malformed |
 * | `refused` | a value is invalid: `field` names it, `allowed` lists what is allowed. No paper moved |
 * | `origin-refused` | the service's configuration does not list this page's origin |
 * | `consent-required` | the person at this computer has not allowed this page yet, or no longer does: `link` is the page on which they do. No paper moved |
 * | `consent-refused` | they said no; at `link` they can change it |
 * | `token-required` | the service takes calls of programs only with its token: `createClient({ token })` |
 * | `scanner-not-found` | no scanner has that name |
 * | `no-scanner-open` | auto-scan was requested without a scanner's name, and none is open |
 * | `busy` | the scanner is scanning, or too many pages read at once |
 * | `desktop-app-away` | the desktop application, which owns the scanners, is disconnected |
 * | `no-paper`, `paper-jam`, `double-feed`, `cover-open` | a person must fix this at the scanner |
 * | `offline` | the scanner is switched off, unplugged or out of reach |
 * | `timeout` | the deadline passed, also that of a signal, or the scanner delivered nothing for too long |
 * | `unsupported` | the scanner cannot do it |
 * | `cancelled` | by `cancel()` or by the signal |
 * | `interrupted` | the service ended during the scan; the pages that it announced are kept, and `continue()` scans on |
 * | `scan-not-found` | no scan of this origin has that id: it was done, or kept for too long |
 * | `no-pages` | the scan has no page for a document: none was scanned, or all are blank |
 * | `storage-full` | kept scans fill the service's room for them, and none may go: fetch them and call `done()`. No paper moved |
 * | `pages-lost` | auto-scan reconnected, and the service no longer had every page |
 * | `autoscan-off` | auto-scan was off when its connection came back: another page turned it off, or the service restarted |
 * | `failing` | auto-scan turned itself off after failed or empty scans in a row |
 * | `unread` | auto-scan turned itself off because no client read for too long |
 * | `failed` | the driver or the service itself failed; see its log |
 */
export type PlatenErrorCode =
  | 'no-answer'
  | 'wrong-version'
  | 'unexpected-answer'
  | 'refused'
  | 'origin-refused'
  | 'consent-required'
  | 'consent-refused'
  | 'token-required'
  | 'scanner-not-found'
  | 'no-scanner-open'
  | 'busy'
  | 'desktop-app-away'
  | 'no-paper'
  | 'paper-jam'
  | 'double-feed'
  | 'cover-open'
  | 'offline'
  | 'timeout'
  | 'unsupported'
  | 'cancelled'
  | 'interrupted'
  | 'scan-not-found'
  | 'storage-full'
  | 'no-pages'
  | 'pages-lost'
  | 'autoscan-off'
  | 'failing'
  | 'unread'
  | 'failed';

/** What a person allows a page: to scan, to enable auto-scan, to set options of the scanner's driver. */
export type Right = 'scan' | 'auto-scan' | 'settings';

/** A value that a field takes. */
export type Allowed = string | number | boolean;

export interface PlatenErrorFacts<Page = ScannedPage> {
  /** Of the answer, if there was one. */
  readonly httpStatus?: number | undefined;
  readonly field?: string | undefined;
  readonly allowed?: readonly Allowed[] | undefined;
  readonly link?: string | undefined;
  readonly may?: readonly Right[] | undefined;
  readonly pages?: readonly Page[];
  readonly cause?: unknown;
}

/** Every failure that this module reports. A loop over the pages of a scan throws `PlatenError<ScanPage>`. */
export class PlatenError<Page = ScannedPage> extends Error {
  override readonly name = 'PlatenError';
  readonly code: PlatenErrorCode;
  readonly httpStatus?: number;
  /** Of `refused`: the field with the invalid value, with its path: `area.width`. Absent if it is not one field. */
  readonly field?: string;
  /** The values that `field` takes, if they can be listed. */
  readonly allowed?: readonly Allowed[];
  /** Of `consent-required` and `consent-refused`: the service's own page, on which the person answers. */
  readonly link?: string;
  /** Of `consent-required`: what the call needs. */
  readonly may?: readonly Right[];
  /** The pages that were finished before the failure; for a loop over pages, those that it gave. */
  readonly pages: readonly Page[];

  /** @param message a sentence for the user */
  constructor(code: PlatenErrorCode, message: string, facts: PlatenErrorFacts<Page> = {}) {
    const { httpStatus, field, allowed, link, may, pages = [], cause } = facts;
    super(message, cause === undefined ? undefined : { cause });
    this.code = code;
    this.pages = pages;
    if (httpStatus !== undefined) this.httpStatus = httpStatus;
    if (field !== undefined) this.field = field;
    if (allowed !== undefined) this.allowed = allowed;
    if (link !== undefined) this.link = link;
    if (may !== undefined) this.may = may;
  }
}

/** By the service's codes: those of the header `Platen-Error` and of a scan's `status`. */
const byCode: Readonly<Record<string, PlatenErrorCode>> = {
  'invalid-value': 'refused',
  'invalid-json': 'refused',
  'body-too-large': 'refused',
  'origin-refused': 'origin-refused',
  'consent-required': 'consent-required',
  'consent-refused': 'consent-refused',
  'token-required': 'token-required',
  'cors-required': 'failed',
  'unknown-path': 'wrong-version',
  'device-not-found': 'scanner-not-found',
  'no-source-open': 'no-scanner-open',
  'autoscan-off': 'autoscan-off',
  busy: 'busy',
  'too-many-streams': 'busy',
  'not-connected': 'desktop-app-away',
  cancelled: 'cancelled',
  timeout: 'timeout',
  'no-paper': 'no-paper',
  'paper-jam': 'paper-jam',
  'double-feed': 'double-feed',
  'cover-open': 'cover-open',
  'device-offline': 'offline',
  unsupported: 'unsupported',
  'service-ended': 'interrupted',
  'scan-not-found': 'scan-not-found',
  'page-not-found': 'scan-not-found',
  'storage-full': 'storage-full',
  'no-pages': 'no-pages',
};

/** For an answer without a known code: the service is older than the header `Platen-Error`. */
const byHttp: Readonly<Record<number, PlatenErrorCode>> = {
  400: 'refused',
  401: 'token-required',
  403: 'origin-refused',
  404: 'wrong-version',
  409: 'busy',
  413: 'refused',
  429: 'busy',
  503: 'desktop-app-away',
  504: 'timeout',
};

/** Whether an answer of the event stream means that auto-scan is off. */
export const isConflict = (status: number): boolean => status === 409;

/** Whether too many event streams are open. */
export const isTooMany = (status: number): boolean => status === 429;

type Json = Readonly<Record<string, unknown>>;

/** @param body read where the header is missing: the service's additions to the interface say the same in it */
export function codeOfAnswer({ headers, status }: Response, body: Json = {}): PlatenErrorCode {
  return known(failureIn(headers, body)['code']) ?? byHttp[status] ?? 'failed';
}

/**
 * Which field was refused, and the values that it takes; where the person can allow the call, and what it needs. Nothing
 * from an older service.
 */
export function refusalIn(
  { headers }: Response,
  body: Json = {},
): Pick<PlatenErrorFacts, 'field' | 'allowed' | 'link' | 'may'> {
  const { field, allowed, link, may } = failureIn(headers, body);
  if (typeof link === 'string') return { link, ...(isList(may) ? { may: may as readonly Right[] } : {}) };
  if (typeof field !== 'string') return {};
  return { field, ...(isList(allowed) ? { allowed } : {}) };
}

const isList = (value: unknown): value is readonly Allowed[] => Array.isArray(value) && value.every(isAllowed);

const isAllowed = (value: unknown): value is Allowed => ['string', 'number', 'boolean'].includes(typeof value);

/** @param status in the service's words, which are codes: `paper-jam`, or `PaperJam` on the interface */
export function codeOfScan(status: string): PlatenErrorCode {
  return known(status.replace(/\B[A-Z]/g, '-$&').toLowerCase()) ?? 'failed';
}

const known = (code: unknown): PlatenErrorCode | undefined =>
  typeof code === 'string' && Object.hasOwn(byCode, code) ? byCode[code] : undefined;

/** What the header says, or else the body; the values may be anything. */
function failureIn(headers: Headers, body: Json): Json {
  try {
    return (JSON.parse(headers.get('platen-error') ?? 'null') as Json | null) ?? body;
  } catch {
    return body;
  }
}
