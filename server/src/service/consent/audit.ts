/**
 * Who was allowed what, and who scanned: a line of JSON for each event, in `audit.log` of the data folder. Nothing of a
 * document is in it.
 */
import { appendFileSync, renameSync, statSync } from 'node:fs';
import { join } from 'node:path';

export const auditEvents = [
  /** A page wants to scan, and the person is asked. */
  'asked',
  'allowed',
  'refused',
  'revoked',
  /** The time of a grant is over. */
  'lapsed',
  /** A call was rejected, at most one line a minute for an origin. */
  'denied',
  /** Of these, a line a minute at most for an origin and scanner, with their `count` if it is not 1. */
  'scan',
  'auto-scan',
  /** A page reads the pages of auto-scan. */
  'stream',
] as const;

export interface AuditLine {
  readonly event: (typeof auditEvents)[number];
  /** Of the page; empty for a program; `*` in the count of further uses, where many origins use many scanners. */
  readonly origin: string;
  readonly [fact: string]: unknown;
}

export type Audit = (line: AuditLine) => void;

/** Then the file becomes `audit.1.log`, and the one before goes. */
const MOST_BYTES = 4 * 1024 * 1024;

/** Of one text in a line, such as the name of a scanner. */
const MOST_CHARACTERS = 100;
/** A host has up to 253. */
const MOST_OF_AN_ORIGIN = 300;
/** Of a list in a line, such as the scanners that a page asks for. */
const MOST_ITEMS = 10;

/** A page chooses what it asks for: its lines must not push the others out of the files. */
function shortened(fact: string, value: unknown): unknown {
  const most = fact === 'origin' ? MOST_OF_AN_ORIGIN : MOST_CHARACTERS;
  if (typeof value === 'string' && value.length > most) return `${value.slice(0, most)}…`;
  if (Array.isArray(value) && value.length > MOST_ITEMS)
    return [...(value as unknown[]).slice(0, MOST_ITEMS), `${value.length - MOST_ITEMS} more`];
  return value;
}

/** @param failed takes the error of a line that could not be written; a full disk stops no scan */
export function openAudit(dataDir: string, now: () => number, failed: (error: unknown) => void): Audit {
  const file = join(dataDir, 'audit.log');
  return ({ event, origin, ...facts }) => {
    try {
      const size = statSync(file, { throwIfNoEntry: false })?.size ?? 0;
      if (size > MOST_BYTES) renameSync(file, join(dataDir, 'audit.1.log'));
      const line = JSON.stringify({ at: new Date(now()).toISOString(), event, origin, ...facts }, shortened);
      appendFileSync(file, `${line}\n`, { mode: 0o600 });
    } catch (error) {
      failed(error);
    }
  };
}
