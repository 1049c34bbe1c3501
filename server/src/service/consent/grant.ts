/** What a person or an administrator lets the pages of an origin do. */

/** `settings`: the options of a scanner's own driver (`driverOptions`). */
export const rights = ['scan', 'auto-scan', 'settings'] as const;
export type Right = (typeof rights)[number];

/** All scanners, or those with these names. */
export type Scanners = '*' | readonly string[];

export interface Grant {
  /** Scheme, host and port, in lower case, as browsers send it. */
  readonly origin: string;
  readonly scanners: Scanners;
  /** Empty: a "no". */
  readonly may: readonly Right[];
  /** Milliseconds since 1970; undefined: until revoked. */
  readonly until?: number | undefined;
}

/** What is wrong with a grant, as a field and what it takes. */
export class GrantError extends Error {
  override readonly name = 'GrantError';
  readonly field: string;
  readonly takes: string;

  constructor(field: string, takes: string) {
    super(`${field} takes ${takes}.`);
    this.field = field;
    this.takes = takes;
  }
}

const MOST_CHARACTERS = 300;
/** Of one grant. */
export const MOST_SCANNERS = 100;

/**
 * Scheme, host and perhaps port, of ASCII as browsers send them. `null`, the origin of sandboxed and local pages, is
 * none: strangers share it.
 */
export const isOrigin = (text: string): boolean =>
  text.length <= MOST_CHARACTERS && /^[a-z][a-z\d+.-]*:\/\/(?:[\w.~-]+|\[[\da-f:.]+\])(?::\d{1,5})?$/i.test(text);

/** @throws GrantError */
export function originIn(value: unknown, field = 'origin'): string {
  const origin = typeof value === 'string' ? asSent(value) : '';
  if (!isOrigin(origin)) throw new GrantError(field, 'an origin such as "https://app.example"');
  return origin;
}

/** As browsers send it: in lower case, without a standard port, and an international name in its ASCII form. */
export function asSent(typed: string): string {
  if (!/^https?:\/\/[^/?#@\s*\\\p{C}]+$/iu.test(typed)) return typed.toLowerCase();
  return URL.canParse(typed) ? new URL(typed).origin : '';
}

/** @throws GrantError */
export function rightsIn(value: unknown, field = 'may'): readonly Right[] {
  if (!Array.isArray(value) || !value.every((each): each is Right => rights.some(right => right === each)))
    throw new GrantError(field, `a list of ${rights.map(each => `"${each}"`).join(', ')}`);
  return rights.filter(each => value.includes(each));
}

/** Whether a grant can name them: not nothing, and not without end. */
export function isScanners(value: unknown): value is Scanners {
  if (value === '*') return true;
  const isName = (each: unknown): boolean => typeof each === 'string' && each !== '' && each.length <= MOST_CHARACTERS;
  return Array.isArray(value) && value.length > 0 && value.length <= MOST_SCANNERS && value.every(isName);
}

/** @throws GrantError */
export function scannersIn(value: unknown, field = 'scanners'): Scanners {
  if (!isScanners(value)) throw new GrantError(field, `"*" or a list of 1 to ${MOST_SCANNERS} names of scanners`);
  return value === '*' ? value : [...new Set(value)];
}

/** @throws GrantError */
export function untilIn(value: unknown, field = 'until'): number | undefined {
  if (value === undefined || value === null) return undefined;
  const time = typeof value === 'string' && /^\d{4}-\d\d-\d\d/.test(value) ? Date.parse(value) : NaN;
  if (Number.isNaN(time)) throw new GrantError(field, 'a time such as "2027-01-31T12:00:00Z"');
  return time;
}

/** Reads a grant from JSON. @throws GrantError */
export function grantIn(value: unknown): Grant {
  if (typeof value !== 'object' || value === null) throw new GrantError('a grant', 'an object');
  const { origin, scanners = '*', may, until } = value as Readonly<Record<string, unknown>>;
  return { origin: originIn(origin), scanners: scannersIn(scanners), may: rightsIn(may), until: untilIn(until) };
}

/** As JSON, with the time as text. */
export function grantBody({ origin, scanners, may, until }: Grant): object {
  return { origin, scanners, may, ...(until === undefined ? {} : { until: new Date(until).toISOString() }) };
}

export const isOver = ({ until }: Grant, now: number): boolean => until !== undefined && until <= now;

export const includesScanner = (scanners: Scanners, name: string): boolean =>
  scanners === '*' || scanners.includes(name);
