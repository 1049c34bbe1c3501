/** A failure for programs, beside the sentence for people: the header `Platen-Error`, and fields of some bodies. */
import type { ErrorCode } from '@platen/core';
import type { HttpCode } from '../errors.js';
import type { ForPages } from './forPages.js';

/** On every answer with an error status. */
export const errorHeader = 'Platen-Error';

/** Longer values are omitted: programs limit the size of headers. */
const MOST_CHARACTERS = 4096;

/**
 * ASCII JSON, because browsers can parse that and not the structured fields of RFC 8941.
 * `{"code":"invalid-value","field":"pageSize","accepts":"one of Letter, …","allowed":["Letter",…]}`: `code` is one of
 * core/ERRORS.md; `field` comes with `invalid-value`, with what it takes as words, and as values if they can be listed;
 * `link` and `may` come with `consent-required` and `consent-refused`.
 */
export function errorHeaderOf(facts: FailureFacts): string {
  const { allowed: _, ...said } = facts;
  const { accepts: __, ...named } = said;
  const fitting = [facts, said].map(ascii).find(header => header.length <= MOST_CHARACTERS);
  return fitting ?? ascii(named);
}

/** What the header says, as fields of a body. */
export interface FailureFacts {
  readonly code: ErrorCode | HttpCode;
  readonly field?: string;
  /** What it takes, to follow "takes". */
  readonly accepts?: string;
  readonly allowed?: readonly unknown[];
  /** Where the person answers. */
  readonly link?: string;
  /** What the call needs. */
  readonly may?: readonly string[];
}

export function factsOf(code: ErrorCode | HttpCode, thrown: unknown, forPages: ForPages): FailureFacts {
  const { field, accepts, allowed, link, may } = (thrown ?? {}) as Partial<FailureFacts>;
  if (code === 'consent-required' || code === 'consent-refused')
    return { code, ...(link === undefined ? {} : { link }), ...(may === undefined ? {} : { may }) };
  if (code !== 'invalid-value' || typeof field !== 'string') return { code };
  return {
    code,
    field,
    ...(typeof accepts === 'string' ? { accepts: forPages(accepts) } : {}),
    ...(Array.isArray(allowed) ? { allowed: allowed as readonly unknown[] } : {}),
  };
}

/** The paths that are additions to the interface: the bodies of their errors have these facts, too. */
const additions = /^\/api\/(?:consent|documents|features|profiles|scans|separator)(?=[/?]|$)/;
export const isAddition = (path: string): boolean => additions.test(path);

function ascii(value: object): string {
  const escaped = (unit: string): string => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`;
  return JSON.stringify(value).replace(/[^\x20-\x7e]/g, escaped);
}
