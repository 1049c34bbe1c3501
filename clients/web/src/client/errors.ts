/** Failures as codes: test `code`, show `message`. */
import type { ScannedPage } from './shapes.js';

/** Of this module: no service answered, or something else did. `diagnose()` says why. */
type ClientCode = 'no-answer' | 'unexpected-answer';

/** Of a scan: what went wrong at the scanner. */
type DriverCode =
  | 'not-connected'
  | 'device-not-found'
  | 'device-offline'
  | 'busy'
  | 'no-paper'
  | 'paper-jam'
  | 'double-feed'
  | 'cover-open'
  | 'unsupported'
  | 'timeout'
  | 'cancelled'
  | 'driver-failed';

type ServiceCode =
  | 'invalid-value'
  | 'no-source-open'
  | 'autoscan-off'
  | 'storage-failed'
  | 'storage-full'
  | 'no-pages'
  | 'service-ended'
  | 'internal';

/** Of a request that was rejected before any scanner was asked: no paper moved. */
type HttpCode =
  | 'bad-request'
  | 'invalid-json'
  | 'origin-refused'
  | 'cors-required'
  | 'consent-required'
  | 'consent-refused'
  | 'token-required'
  | 'unknown-path'
  | 'scan-not-found'
  | 'page-not-found'
  | 'request-timeout'
  | 'range-not-satisfiable'
  | 'body-too-large'
  | 'wrong-content-type'
  | 'host-refused'
  | 'too-many-streams'
  | 'headers-too-large';

/** Why an auto-scan ended by itself. */
type EndCode = 'failing' | 'unread' | 'device-lost' | 'pages-lost' | 'consent-ended';

/** The service's own codes, and two of this module. Its core/ERRORS.md has a heading for each; a newer service may have more. */
export type PlatenErrorCode = ClientCode | DriverCode | ServiceCode | HttpCode | EndCode;

/** What a person allows a page: to scan, to enable auto-scan, to set options of the scanner's driver. */
export type Right = 'scan' | 'auto-scan' | 'settings';

/** A value that a field takes. */
export type Allowed = string | number | boolean;

export interface PlatenErrorFacts<Page = ScannedPage> {
  /** Of the answer, if there was one. */
  readonly httpStatus?: number | undefined;
  readonly field?: string | undefined;
  readonly accepts?: string | undefined;
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
  /** Of `invalid-value`: the field with the invalid value, with its path: `area.width`. Absent if it is not one field. */
  readonly field?: string;
  /** What `field` takes, for a person: `an integer from 1 to 100`. */
  readonly accepts?: string;
  /** The values that `field` takes, if they can be listed. */
  readonly allowed?: readonly Allowed[];
  /** Of `consent-required`, `consent-refused` and `consent-ended`: the service's own page, on which the person answers. */
  readonly link?: string;
  /** Of `consent-required`: what the call needs. */
  readonly may?: readonly Right[];
  /** The pages that were finished before the failure; for a loop over pages, those that it gave. */
  readonly pages: readonly Page[];

  /** @param message a sentence for the user */
  constructor(code: PlatenErrorCode, message: string, facts: PlatenErrorFacts<Page> = {}) {
    const { httpStatus, field, accepts, allowed, link, may, pages = [], cause } = facts;
    super(message, cause === undefined ? undefined : { cause });
    this.code = code;
    this.pages = pages;
    if (httpStatus !== undefined) this.httpStatus = httpStatus;
    if (field !== undefined) this.field = field;
    if (accepts !== undefined) this.accepts = accepts;
    if (allowed !== undefined) this.allowed = allowed;
    if (link !== undefined) this.link = link;
    if (may !== undefined) this.may = may;
  }
}

type Json = Readonly<Record<string, unknown>>;

/**
 * Without a code, it is not an answer of the service.
 * @param body read where the header is missing: the service's additions to the interface say the same in it
 */
export function codeOfAnswer({ headers }: Response, body: Json = {}): PlatenErrorCode {
  const { code } = failureIn(headers, body);
  return isCode(code) ? code : 'unexpected-answer';
}

/**
 * Which field was refused, and what it takes; where the person can allow the call, and what it needs.
 */
export function refusalIn(
  { headers }: Response,
  body: Json = {},
): Pick<PlatenErrorFacts, 'field' | 'accepts' | 'allowed' | 'link' | 'may'> {
  const { field, accepts, allowed, link, may } = failureIn(headers, body);
  if (typeof link === 'string') return { link, ...(isList(may) ? { may: may as readonly Right[] } : {}) };
  if (typeof field !== 'string') return {};
  return { field, ...(typeof accepts === 'string' ? { accepts } : {}), ...(isList(allowed) ? { allowed } : {}) };
}

const isList = (value: unknown): value is readonly Allowed[] => Array.isArray(value) && value.every(isAllowed);

const isAllowed = (value: unknown): value is Allowed => ['string', 'number', 'boolean'].includes(typeof value);

/** @param status in the interface's words: `PaperJam` */
export function codeOfStatus(status: string): PlatenErrorCode {
  const code = (status === 'InternalError' ? 'Internal' : status).replace(/\B[A-Z]/g, '-$&').toLowerCase();
  return isCode(code) ? code : 'internal';
}

/** Not only the codes above. */
const isCode = (code: unknown): code is PlatenErrorCode =>
  typeof code === 'string' && /^[a-z]+(?:-[a-z]+)*$/.test(code);

/** What the header says, or else the body; the values may be anything. */
function failureIn(headers: Headers, body: Json): Json {
  try {
    return (JSON.parse(headers.get('platen-error') ?? 'null') as Json | null) ?? body;
  } catch {
    return body;
  }
}

/** `timeout` for a signal of `AbortSignal.timeout`; its reason is the cause. */
export function cancelled(
  { reason }: AbortSignal,
  message = 'The call was aborted.',
  pages: readonly ScannedPage[] = [],
  httpStatus?: number,
): PlatenError {
  return new PlatenError(isTimeout(reason) ? 'timeout' : 'cancelled', message, {
    httpStatus,
    pages,
    cause: reason as unknown,
  });
}

const isTimeout = (reason: unknown): boolean => reason instanceof DOMException && reason.name === 'TimeoutError';
