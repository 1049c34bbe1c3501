/** The statuses of answers: the only file with HTTP's numbers, and the names of a Scan result's `status`. */
import type { ErrorCode } from '@platen/core';

/** Failures that exist only between a client and this service. */
export type HttpCode =
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

const OK = 200;
const FAILED = 500;

/** The statuses of success. */
export const successes = { ok: OK, created: 201, noContent: 204, partial: 206, notModified: 304 } as const;

const httpStatus: Readonly<Record<HttpCode, number>> = {
  'bad-request': 400,
  'invalid-json': 400,
  'token-required': 401,
  'origin-refused': 403,
  'cors-required': 403,
  'consent-required': 403,
  'consent-refused': 403,
  'unknown-path': 404,
  'scan-not-found': 404,
  'page-not-found': 404,
  'request-timeout': 408,
  'body-too-large': 413,
  'wrong-content-type': 415,
  'range-not-satisfiable': 416,
  'host-refused': 421,
  'too-many-streams': 429,
  'headers-too-large': 431,
};

export const httpCodes = Object.keys(httpStatus) as readonly HttpCode[];

interface Row {
  /** The answer's status code. */
  readonly http: number;
  /** A Scan result's `status`. */
  readonly scan: string;
}

/** Of errors, 503 means only not-connected and 504 only timeout: clients rely on it. `/health` says Unhealthy with 503, too. */
const rows = {
  cancelled: { http: OK, scan: 'Cancelled' },
  'invalid-value': { http: 400, scan: 'InvalidValue' },
  'device-not-found': { http: 404, scan: 'DeviceNotFound' },
  busy: { http: 409, scan: 'Busy' },
  'no-source-open': { http: 409, scan: 'NoSourceOpen' },
  'autoscan-off': { http: 409, scan: 'AutoscanOff' },
  'not-connected': { http: 503, scan: 'NotConnected' },
  timeout: { http: 504, scan: 'Timeout' },
  'no-paper': { http: FAILED, scan: 'NoPaper' },
  'paper-jam': { http: FAILED, scan: 'PaperJam' },
  'double-feed': { http: FAILED, scan: 'DoubleFeed' },
  'cover-open': { http: FAILED, scan: 'CoverOpen' },
  'device-offline': { http: FAILED, scan: 'DeviceOffline' },
  unsupported: { http: FAILED, scan: 'Unsupported' },
  'driver-failed': { http: FAILED, scan: 'DriverFailed' },
  'storage-failed': { http: FAILED, scan: 'StorageFailed' },
  'storage-full': { http: 507, scan: 'StorageFull' },
  'no-pages': { http: 404, scan: 'NoPages' },
  'service-ended': { http: FAILED, scan: 'ServiceEnded' },
  internal: { http: FAILED, scan: 'InternalError' },
} as const satisfies Readonly<Record<ErrorCode, Row>>;

/** The codes of all error answers. */
export const failureCodes = [...(Object.keys(rows) as ErrorCode[]), ...httpCodes];

type ScanFailure = (typeof rows)[ErrorCode]['scan'];

/** The `status` of scans that failed. */
export const scanFailures: readonly ScanFailure[] = Object.values(rows).map(({ scan }) => scan);

/** The status code of a failure; undefined means success. */
export function statusOf(code: ErrorCode | HttpCode | undefined): number {
  if (code === undefined) return OK;
  return code in httpStatus ? httpStatus[code as HttpCode] : rows[code as ErrorCode].http;
}

/** A Scan result's `status` for a failure; `Success` for undefined. */
export function scanStatusOf(code: ErrorCode | undefined): ScanFailure | 'Success' {
  return code === undefined ? 'Success' : rows[code].scan;
}

export type Health = 'Healthy' | 'Degraded' | 'Unhealthy';

export function statusOfHealth(health: Health): number {
  return health === 'Unhealthy' ? 503 : OK;
}

/** The log level of an answer. */
export function logLevelOf(status: number): 'debug' | 'info' | 'warn' {
  if (status >= FAILED) return 'warn';
  return status >= 400 ? 'info' : 'debug';
}

/** Whether a status is an error's, the client's or the service's. */
export const isFailure = (status: number): boolean => status >= 400;

/** Whether the fault is the client's, for errors that fastify or Node found. */
export const isRefusal = (status: number | undefined): boolean =>
  status !== undefined && status >= 400 && status < FAILED;

const reasons: Partial<Record<HttpCode, string>> = {
  'bad-request': 'Bad Request',
  'request-timeout': 'Request Timeout',
  'headers-too-large': 'Request Header Fields Too Large',
};

/** A status line, for answers to input that is not valid HTTP. */
export function statusLine(code: HttpCode): string {
  return `HTTP/1.1 ${statusOf(code)} ${reasons[code] ?? 'Refused'}`;
}

/** A request that is rejected before any scanner is asked. The message is a sentence for the client. */
export class HttpError extends Error {
  override readonly name = 'HttpError';
  readonly code: HttpCode;

  constructor(code: HttpCode, message: string) {
    super(message);
    this.code = code;
  }
}

/** The HTTP code of any thrown value, read structurally. */
export function httpCodeOf(error: unknown): HttpCode | undefined {
  const code = (error as { code?: unknown } | null | undefined)?.code;
  return typeof code === 'string' && Object.hasOwn(httpStatus, code) ? (code as HttpCode) : undefined;
}
