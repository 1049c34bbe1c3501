/** How a route may refuse or fail, for its schema: codes become the statuses that they are answered with. */
import type { ErrorCode } from '@platen/core';
import { Type } from 'typebox';
import { Failure, ScanResult } from '../http/dto/schemas.js';
import { statusOf, type HttpCode } from '../http/errors.js';

type Code = ErrorCode | HttpCode;

const when = {
  'invalid-value': 'A field has a value that is not taken; `error` names it and what it takes.',
  'invalid-json': 'The body is not JSON.',
  'device-not-found': 'There is no scanner of that name.',
  busy: 'A scan runs, or auto-scan is on.',
  'no-source-open': 'No scanner is open.',
  'autoscan-off': 'Auto-scan is disabled; an EventSource does not try again.',
  'too-many-streams': 'As many event streams are open as `clients.maxStreams` allows.',
  'not-connected': 'The desktop application is not connected.',
  timeout: 'The scan timed out.',
  'driver-failed': 'The scanner or its driver failed.',
  internal: 'The service failed; its log says why.',
  'paper-jam': 'The scan did not come to its end: a jam, an open cover, no paper, a scanner that is off.',
} as const satisfies Partial<Record<Code, string>>;

export type RefusalCode = keyof typeof when;

/** What the document says, and what answers are written by. */
interface Refusals {
  readonly '4xx'?: typeof Failure;
  readonly '5xx'?: typeof Failure;
}

/** Several codes of one status are described together. */
export function refusals(...codes: readonly RefusalCode[]): Refusals {
  return byStatus(codes, Failure) as Refusals;
}

/** The same of a call that scans: once paper has moved, the answer has the pages that were finished. */
export function scanRefusals(...codes: readonly RefusalCode[]): Refusals {
  return byStatus(codes, Type.Union([ScanResult, Failure])) as Refusals;
}

function byStatus(codes: readonly RefusalCode[], schema: object): Record<string, object> {
  const all: Record<string, object> = {};
  for (const status of new Set(codes.map(statusOf))) {
    const said = codes.filter(code => statusOf(code) === status).map(code => when[code]);
    all[status] = { ...schema, 'x-response-description': said.join(' ') };
  }
  return all;
}
