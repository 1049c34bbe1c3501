/** The questions that wait for the person, in memory: a page that still wants its answer asks again. */
import { createHash, randomBytes, randomUUID } from 'node:crypto';
import type { Clock } from '@platen/core';
import { includesScanner, MOST_SCANNERS, rights, type Right, type Scanners } from './grant.js';

export interface Wish {
  readonly may: readonly Right[];
  readonly scanners: Scanners;
}

export interface Question extends Wish {
  /** Not secret. */
  readonly id: string;
  readonly origin: string;
  /** Milliseconds since 1970. */
  readonly at: number;
  /** SHA-256 of the secret that the asking page has, where local programs need a token. */
  readonly pass?: string;
}

interface Kept extends Question {
  /** `Clock.monotonic` of the first call. */
  readonly since: number;
  /** And of the last one. */
  readonly touched: number;
}

/** A page that waits calls each second. */
const LAPSE_MS = 10 * 60_000;
/** Then one goes, see `leastWanted`. */
const MOST = 20;
/** A page that called again after this long waits for its answer. */
const WAITS_MS = 900;
/** And this long after its last call, it does not any more: browsers slow down hidden pages, to a call a minute. */
const SILENT_MS = 70_000;

export const hashOf = (secret: string): string => createHash('sha256').update(secret).digest('hex');
export const newSecret = (): string => randomBytes(32).toString('base64url');

export interface Questions {
  /**
   * Joins the question of the same origin; with a secret, of the same page only.
   * @returns no question if there are too many, and this one gave way at once
   */
  ask(origin: string, wish: Wish, secret?: string): { readonly question?: Question; readonly isNew: boolean };
  /** The page's own one, if it has a secret. Keeps it from lapsing. */
  of(origin: string, secret?: string): Question | undefined;
  /** Oldest first. */
  list(): readonly Question[];
  /** Removes the one with this id, or all of the origin. */
  answered(origin: string, id?: string): Question | undefined;
}

export function createQuestions(clock: Clock): Questions {
  const all = new Map<string, Kept>();
  const sweep = (): void => {
    const oldest = clock.monotonic() - LAPSE_MS;
    for (const [id, { touched }] of all) if (touched < oldest) all.delete(id);
  };
  const find = (origin: string, secret?: string): Kept | undefined => {
    sweep();
    const pass = secret === undefined ? undefined : hashOf(secret);
    const found = [...all.values()].find(each => each.origin === origin && each.pass === pass);
    if (found) all.set(found.id, { ...found, touched: clock.monotonic() });
    return found && all.get(found.id);
  };
  return {
    ask(origin, wish, secret) {
      const before = find(origin, secret);
      const question: Kept = before
        ? { ...before, ...joined(before, wish) }
        : {
            ...joined(wish, wish),
            id: randomUUID(),
            origin,
            at: clock.now(),
            since: clock.monotonic(),
            touched: clock.monotonic(),
            ...(secret === undefined ? {} : { pass: hashOf(secret) }),
          };
      all.set(question.id, question);
      if (all.size > MOST) all.delete(leastWanted([...all.values()], clock.monotonic()));
      return all.has(question.id) ? { question, isNew: !before } : { isNew: false };
    },
    of: find,
    list() {
      sweep();
      return [...all.values()];
    },
    answered(origin, id) {
      const meant = [...all.values()].filter(each => each.origin === origin && (id === undefined || each.id === id));
      for (const each of meant) all.delete(each.id);
      return meant[0];
    },
  };
}

/**
 * Of the sites with most questions, the one that was silent for longest, of those whose pages only asked; else the newest.
 * So one site cannot keep others from asking, and many origins cannot push out a page that waits.
 */
function leastWanted(all: readonly Kept[], now: number): string {
  const sizes = new Map<string, number>();
  for (const { origin } of all) sizes.set(siteOf(origin), (sizes.get(siteOf(origin)) ?? 0) + 1);
  const most = Math.max(...sizes.values());
  const largest = all.filter(({ origin }) => sizes.get(siteOf(origin)) === most);
  const waits = ({ since, touched }: Kept): boolean => touched - since >= WAITS_MS && now - touched < SILENT_MS;
  const [silent] = largest.filter(each => !waits(each)).sort((a, b) => a.touched - b.touched);
  return (silent ?? largest.at(-1))?.id ?? '';
}

/** Who can have many origins: the last labels of a host. All programs of this computer are one. */
export function siteOf(origin: string): string {
  const host = /^[^:]+:\/\/(\[[^\]]+\]|[^:]+)/.exec(origin)?.[1] ?? origin;
  const labels = host.split('.');
  if (labels.at(-1) === 'localhost' || host === '[::1]' || /^127(?:\.\d+){3}$/.test(host)) return 'localhost';
  if (/^[\d.]+$/.test(host)) return host;
  // Names such as app.example.co.uk are sold with three labels.
  const isShared = labels.at(-1)?.length === 2 && (labels.at(-2)?.length ?? 0) <= 3;
  return labels.slice(isShared ? -3 : -2).join('.');
}

/** What both want; a page that may scan nothing has no use for the rest. */
function joined(a: Wish, b: Wish): Wish {
  const may = rights.filter(each => each === 'scan' || a.may.includes(each) || b.may.includes(each));
  if (a.scanners === '*' || b.scanners === '*') return { may, scanners: '*' };
  return { may, scanners: [...new Set([...a.scanners, ...b.scanners])].slice(0, MOST_SCANNERS) };
}

/** Whether a grant has all that a page wants. */
export function covers({ may, scanners }: Wish, wish: Partial<Wish>): boolean {
  if (!(wish.may ?? ['scan']).every(each => may.includes(each))) return false;
  if (wish.scanners === undefined || scanners === '*') return true;
  return wish.scanners !== '*' && wish.scanners.every(each => includesScanner(scanners, each));
}

/** Whether a page wants all that another wish has: who asks for more than was declined asks for that, too. */
export function includesWish({ may, scanners }: Wish, other: Wish): boolean {
  if (!other.may.every(each => may.includes(each))) return false;
  return scanners === '*' || (other.scanners !== '*' && other.scanners.every(each => scanners.includes(each)));
}
