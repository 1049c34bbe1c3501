/** Conditional and partial requests for bytes with a strong entity tag (RFC 9110, 13 and 14). */

/** Whether `If-None-Match` names this entity tag; its comparison is weak. */
export function matchesTag(header: string | undefined, tag: string): boolean {
  if (header === undefined) return false;
  return header.split(',').some(each => each.trim() === '*' || each.trim().replace(/^W\//, '') === tag);
}

export interface ByteRange {
  /** The first byte. */
  readonly start: number;
  /** The byte after the last one. */
  readonly end: number;
}

/**
 * The one range that is asked for.
 * @param size of the whole, at least 1
 * @returns undefined for the whole: no range, several ranges, or none that can be read
 */
export function rangeOf(header: string | undefined, size: number): ByteRange | 'unsatisfiable' | undefined {
  const [, from = '', to = ''] = /^\s*bytes\s*=\s*(\d*)\s*-\s*(\d*)\s*$/i.exec(header ?? '') ?? [];
  if (from === '' && to === '') return undefined;
  if (from === '')
    return to === '' || Number(to) === 0 ? 'unsatisfiable' : { start: Math.max(0, size - Number(to)), end: size };
  const start = Number(from);
  const last = to === '' ? Infinity : Number(to);
  if (last < start) return undefined;
  return start >= size ? 'unsatisfiable' : { start, end: Math.min(size, last + 1) };
}
