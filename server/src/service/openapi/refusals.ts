/** The errors of a route, for its schema: turns codes into the statuses of their answers. */
import type { ErrorCode } from '@platen/core';
import { Type } from '../../machine/schemaType.js';
import { Failure, ScanFailure } from '../shapes/schemas.js';
import { statusOf, type HttpCode } from '../http/errors.js';

type Code = ErrorCode | HttpCode;

const when = {
  'invalid-value': 'A field has an invalid value; `error` names the field and the accepted values.',
  'invalid-json': 'The body is not JSON.',
  'bad-request': 'The request is made with HTTP/1.0, which cannot tell that an answer was broken off.',
  'device-not-found': 'No scanner has that name.',
  busy: 'A scan is running, or auto-scan is enabled.',
  'no-source-open': 'No scanner is open.',
  'autoscan-off': 'Auto-scan is disabled; an EventSource does not reconnect.',
  'too-many-streams':
    'The limit of open event streams, `clients.maxStreams`, or of documents that are sent at once, `clients.maxDocuments`, is reached.',
  'not-connected': 'The desktop application is not connected.',
  timeout: 'The scan timed out.',
  'driver-failed': 'The scanner or its driver failed.',
  internal: "The service failed; see the service's log.",
  'unknown-path': 'It is not switched on.',
  'scan-not-found': 'The caller has no scan with this id.',
  'page-not-found': 'The scan has no such page.',
  'storage-full': 'Kept scans fill `scans.keepBytes`, and none may go. No paper moved.',
  'no-pages': 'The scan has no page for a document: none was scanned, or all are blank.',
  'storage-failed': 'The page was damaged after it was stored, or the disk failed.',
  'body-too-large': 'The body is larger than 4 MiB.',
  'range-not-satisfiable': 'The range begins after the last byte.',
  'paper-jam': 'The scan failed: a paper jam, an open cover, no paper, a scanner that is off.',
} as const satisfies Partial<Record<Code, string>>;

export type RefusalCode = keyof typeof when;

/** The schemas of error answers, for the document and for serialization. */
interface Refusals {
  readonly '4xx'?: typeof Failure;
  readonly '5xx'?: typeof Failure;
}

/** Codes with the same status share a description. */
export function refusals(...codes: readonly RefusalCode[]): Refusals {
  return byStatus(codes, Failure) as Refusals;
}

/** The same for a call that scans: once paper has moved, the answer has the finished pages. */
export function scanRefusals(...codes: readonly RefusalCode[]): Refusals {
  return byStatus(codes, Type.Union([ScanFailure, Failure])) as Refusals;
}

function byStatus(codes: readonly RefusalCode[], schema: object): Record<string, object> {
  const all: Record<string, object> = {};
  for (const status of new Set(codes.map(statusOf))) {
    const said = codes.filter(code => statusOf(code) === status).map(code => when[code]);
    all[status] = { ...schema, 'x-response-description': said.join(' ') };
  }
  return all;
}
