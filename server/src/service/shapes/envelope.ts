/** The envelope of `POST /api/twain`: the command that it answers, and the result. */
import { randomUUID } from 'node:crypto';
import { codeOf, type ErrorCode } from '@platen/core';
import { httpCodeOf } from '../http/errors.js';

export const DIRECT_KIND = 'twainlocalscanner';

/** The command's fields that every answer repeats. */
export interface Command {
  readonly kind: string;
  readonly commandId: string;
  readonly method: string;
}

export interface Results {
  readonly success: boolean;
  readonly code: DirectCode | 'success';
  /** With `invalidValue`: the field. */
  readonly jsonKey?: string;
  /** With `invalidJson`: the offset of the first error. */
  readonly characterOffset?: number;
}

const codes = {
  'invalid-value': 'invalidValue',
  'device-not-found': 'invalidValue',
  'no-source-open': 'invalidState',
  busy: 'busy',
  cancelled: 'aborted',
  'no-paper': 'noMedia',
  'paper-jam': 'paperJam',
  'double-feed': 'doubleFeed',
  'cover-open': 'coverOpen',
  timeout: 'timeout',
} as const satisfies Partial<Record<ErrorCode, string>>;

const codeFor: Partial<Readonly<Record<ErrorCode, DirectCode>>> = codes;

/** The codes of failed commands. */
export const directCodes = ['invalidJson', ...new Set(Object.values(codes)), 'critical'] as const;
export type DirectCode = (typeof directCodes)[number];

/** The fields that a client sent, as far as they can be repeated; a command without an id gets one. */
export function commandOf(body: unknown): Command {
  const { commandId, method } = (typeof body === 'object' && body !== null ? body : {}) as Record<string, unknown>;
  return {
    kind: DIRECT_KIND,
    commandId: typeof commandId === 'string' && /^[\x21-\x7e]{1,200}$/.test(commandId) ? commandId : randomUUID(),
    method: typeof method === 'string' ? method.slice(0, 100) : '',
  };
}

/** A command's result; undefined means success. */
export function resultsOf(thrown: unknown): Results {
  if (thrown === undefined) return { success: true, code: 'success' };
  if (httpCodeOf(thrown) === 'invalid-json')
    return {
      success: false,
      code: 'invalidJson',
      characterOffset: (thrown as { characterOffset?: number }).characterOffset ?? 0,
    };
  const code = codeFor[codeOf(thrown) ?? 'internal'] ?? 'critical';
  return {
    success: false,
    code,
    ...(code === 'invalidValue' ? { jsonKey: (thrown as { field?: string }).field ?? 'sourceName' } : {}),
  };
}

/**
 * The failure as `data`; it repeats `jsonKey` and `characterOffset`.
 * @param message with the paths that pages may see
 */
export function failureData(
  thrown: unknown,
  message: string,
): { message: string } & Pick<Results, 'jsonKey' | 'characterOffset'> {
  const { jsonKey, characterOffset } = resultsOf(thrown);
  return {
    message,
    ...(jsonKey === undefined ? {} : { jsonKey }),
    ...(characterOffset === undefined ? {} : { characterOffset }),
  };
}
