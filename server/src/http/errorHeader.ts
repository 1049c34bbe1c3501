/** The header `Platen-Error`: what a program may know of a failure, beside the sentence for people in the body. */
import type { ErrorCode } from '@platen/core';
import type { HttpCode } from './errors.js';

/** On every answer whose status is an error's. */
export const errorHeader = 'Platen-Error';

/** A longer list of allowed values is left out: programs that read headers have limits. */
const MOST_CHARACTERS = 4096;

/**
 * JSON, because browsers can parse it and not the structured fields of RFC 8941; all of it in ASCII.
 * `{"code":"invalid-value","field":"pageSize","allowed":["Letter",…]}`: `code` is one of core/ERRORS.md; `field` is
 * there with `invalid-value`, and `allowed` where the values that the field takes can be counted.
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
