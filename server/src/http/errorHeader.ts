/** The header `Platen-Error`: a failure for programs, beside the sentence for people in the body. */
import type { ErrorCode } from '@platen/core';
import type { HttpCode } from './errors.js';

/** On every answer with an error status. */
export const errorHeader = 'Platen-Error';

/** A longer list of allowed values is omitted: programs limit the size of headers. */
const MOST_CHARACTERS = 4096;

/**
 * ASCII JSON, because browsers can parse that and not the structured fields of RFC 8941.
 * `{"code":"invalid-value","field":"pageSize","allowed":["Letter",…]}`: `code` is one of core/ERRORS.md; `field` comes
 * with `invalid-value`, and `allowed` if the field takes a finite list of values.
 */
export function errorHeaderOf(code: ErrorCode | HttpCode, thrown?: unknown): string {
  const { field, allowed } = (thrown ?? {}) as { field?: unknown; allowed?: unknown };
  const named = code === 'invalid-value' && typeof field === 'string' ? { code, field } : { code };
  const whole = ascii('field' in named && Array.isArray(allowed) ? { ...named, allowed } : named);
  return whole.length > MOST_CHARACTERS ? ascii(named) : whole;
}

function ascii(value: object): string {
  const escaped = (unit: string): string => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`;
  return JSON.stringify(value).replace(/[^\x20-\x7e]/g, escaped);
}
