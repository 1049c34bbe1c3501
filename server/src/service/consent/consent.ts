/** Which pages may do what: by `security.origins`, and, if that is `ask`, by what the person or an administrator allowed. */
import type { Clock, Log } from '@platen/core';
import type { Security } from '../../machine/config/schema.js';
import type { AdministratorsGrants } from './administrator.js';
import { isSameSecret } from './sameSecret.js';
import type { Audit, AuditLine } from './audit.js';
import { asSent, includesScanner, isOrigin, isOver, rights, type Grant, type Right, type Scanners } from './grant.js';
import type { By, GrantFolder, StoredGrant } from './grantFolder.js';
import { type Caller, createHolds, type Holds } from './holds.js';
import { createCounted, createSparing } from './sparing.js';
import { createStandingGrants, type KnownGrant } from './standingGrants.js';
import { covers, createQuestions, includesWish, newSecret, type Question, type Wish } from './questions.js';

export type Mode = 'open' | 'list' | 'ask';

/** How a page stands. */
export interface Standing {
  /** `granted` if it may scan. */
  readonly state: 'granted' | 'none' | 'asked' | 'refused';
  readonly grant?: Grant;
  readonly question?: Question;
}

export interface Answer extends Grant {
  /** Of the question; absent: for all of the origin. */
  readonly id?: string | undefined;
}

export interface Consent {
  readonly mode: Mode;
  readonly localPrograms: Security['localPrograms'];
  /** By the configuration alone: whether pages of the origin may call at all. */
  admits(origin: string): boolean;
  /** Whether the caller sent the token of local programs. */
  hasToken(caller: Caller): boolean;
  allows(caller: Caller, right: Right, scanner?: string): boolean;
  /** The scanners that the caller may use. */
  scannersOf(caller: Caller): Scanners;
  standing(caller: Caller): Standing;
  /**
   * Puts the question before the person, unless the answer is known: call it for what was not allowed.
   * @returns the standing, and the secret for a page that must prove itself: only an answer that brings it is of use
   */
  ask(caller: Caller, wish: Partial<Wish>): Standing & { readonly pass?: string };
  /** Whether a question needs a secret that the caller does not have: then only `POST /api/consent` can ask. */
  needsPass(caller: Caller): boolean;
  readonly holds: Holds;
  /** For the audit. */
  denied(caller: Caller, right: Right): void;
  /** For the audit. @param scanner the name of one that there is, not what a caller made up */
  used(caller: Caller, event: 'scan' | 'auto-scan' | 'stream', scanner: string | undefined): void;
  questions(): readonly Question[];
  grants(): readonly KnownGrant[];
  /** Whether an administrator decided about the origin. */
  isFixed(origin: string): boolean;
  /** The person's yes, or no. @param by `page`, unless it is said */
  answer(answer: Answer, by?: By): void;
  /** @returns whether there was a grant or a refusal */
  revoke(origin: string, by?: By): boolean;
  close(): void;
}

export interface ConsentParts {
  readonly security: Pick<Security, 'origins' | 'localPrograms'>;
  readonly folder: GrantFolder;
  readonly administrators: AdministratorsGrants;
  readonly audit: Audit;
  readonly clock: Clock;
  readonly log: Pick<Log, 'warn'>;
  /** The secret of local programs; undefined if they need none. */
  readonly token: string | undefined;
}

export function createConsent(parts: ConsentParts): Consent {
  const { security, folder, administrators, audit, clock, log, token } = parts;
  const { origins, localPrograms } = security;
  const mode: Mode = typeof origins === 'string' ? origins : 'list';
  const listed = new Set(typeof origins === 'string' ? [] : origins.map(asSent));
  const questions = createQuestions(clock);
  const needsPass = localPrograms === 'token';
  /** What an allowed page also wanted, and the person said no to. */
  const declined = new Map<string, Wish[]>();
  const auditsAsked = createSparing(clock);
  const auditsDenied = createSparing(clock);
  const uses = createCounted(
    clock,
    (line: AuditLine, count) => audit(count === 1 ? line : { ...line, count }),
    ({ event, origin }) => [
      { event, origin },
      { event, origin: '*' },
    ],
  );

  const hasToken = ({ secret }: Caller): boolean =>
    token !== undefined && secret !== undefined && isSameSecret(secret, token);

  const grants = createStandingGrants({ folder, administrators, audit, clock, log, needsPass });

  /** Pages that need no grant. */
  const isFree = (caller: Caller): boolean =>
    caller.isOwn || caller.origin === '' || hasToken(caller) || mode !== 'ask';

  const allows: Consent['allows'] = (caller, right, scanner) => {
    if (isFree(caller)) return true;
    const grant = grants.of(caller);
    return grant?.may.includes(right) === true && (scanner === undefined || includesScanner(grant.scanners, scanner));
  };

  const standing = (caller: Caller): Standing => {
    if (isFree(caller)) return { state: 'granted', grant: { origin: caller.origin, scanners: '*', may: rights } };
    const question = questions.of(caller.origin, needsPass ? caller.secret : undefined);
    const asked = question ? { question } : {};
    const grant = grants.of(caller);
    if (!grant) return { state: question ? 'asked' : 'none', ...asked };
    return { state: grant.may.includes('scan') ? 'granted' : 'refused', grant, ...asked };
  };

  return {
    mode,
    localPrograms,
    admits: origin => mode === 'open' || (mode === 'list' ? listed.has(origin.toLowerCase()) : isOrigin(origin)),
    hasToken,
    allows,
    scannersOf: caller => (isFree(caller) ? '*' : (grants.of(caller)?.scanners ?? [])),
    standing,
    ask(caller, wish) {
      const now = standing(caller);
      const wanted = { may: wish.may ?? ['scan'], scanners: wish.scanners ?? '*' } as const;
      const { grant } = now;
      if (now.state === 'refused') return now;
      if ((grant && covers(grant, wish)) || administrators.read().has(caller.origin)) return now;
      const both = grant ? besides(grant, wish) : wanted;
      if (declined.get(caller.origin)?.some(each => includesWish(both, each)) === true)
        return { ...now, state: 'refused' };
      // The pass of its grant stays valid.
      const isKnown = grant !== undefined || questions.of(caller.origin, caller.secret) !== undefined;
      const pass = needsPass ? (isKnown ? caller.secret : newSecret()) : undefined;
      const { question, isNew } = questions.ask(caller.origin, both, pass);
      if (!question) return now;
      if (isNew && auditsAsked(caller.origin))
        audit({ event: 'asked', origin: caller.origin, may: question.may, scanners: question.scanners });
      const state = now.state === 'granted' ? 'granted' : 'asked';
      return { ...now, state, question, ...(pass === undefined ? {} : { pass }) };
    },
    needsPass: caller => needsPass && standing(caller).state === 'none',
    holds: createHolds(clock, allows),
    denied({ origin }, right) {
      if (auditsDenied(origin)) audit({ event: 'denied', origin, may: [right] });
    },
    used: ({ origin }, event, scanner) => uses.add({ event, origin, ...(scanner === undefined ? {} : { scanner }) }),
    questions: () => questions.list(),
    grants() {
      const configured = mode === 'list' ? [...listed] : [];
      return grants.list(configured.map(origin => ({ origin, scanners: '*', may: rights, by: 'configuration' })));
    },
    isFixed: origin => administrators.read().has(origin),
    answer({ id, ...grant }, by = 'page') {
      const question =
        needsPass && id === undefined && grant.may.length > 0 ? undefined : questions.answered(grant.origin, id);
      const had = folder.read().get(grant.origin);
      const isNoToMore = id !== undefined && question !== undefined && grant.may.length === 0;
      if (isNoToMore && had && had.may.length > 0 && !isOver(had, clock.now())) {
        // It leaves what is allowed. With tokens, the question may be of somebody who only claims to be the page.
        if (!covers(had, question))
          declined.set(grant.origin, [...(declined.get(grant.origin) ?? []), question].slice(-MOST_DECLINED));
        return audit({ event: 'refused', origin: grant.origin, may: question.may, scanners: question.scanners, by });
      }
      declined.delete(grant.origin);
      const before = had?.passes ?? [];
      // Without an id nobody chose among the pages that claim to be of the origin.
      const proven = id === undefined ? undefined : question?.pass;
      const passes = grant.may.length === 0 ? [] : [...new Set([...before, ...(proven === undefined ? [] : [proven])])];
      const stored: StoredGrant = { ...grant, by, at: clock.now(), passes: passes.slice(-MOST_PASSES) };
      folder.write(stored);
      audit({ ...answerLine(grant), by });
      this.holds.check();
    },
    revoke(origin, by = 'page') {
      const had = folder.remove(origin);
      questions.answered(origin);
      declined.delete(origin);
      if (had) audit({ event: 'revoked', origin, by });
      this.holds.check();
      return had;
    },
    close() {
      uses.close();
      administrators.close();
      this.holds.close();
    },
  };
}

function answerLine({ origin, scanners, may, until }: Grant): AuditLine {
  if (may.length === 0) return { event: 'refused', origin };
  return {
    event: 'allowed',
    origin,
    scanners,
    may,
    ...(until === undefined ? {} : { until: new Date(until).toISOString() }),
  };
}

/** A grant that is there is part of the question: the answer replaces it. */
function besides(grant: Grant, { may = ['scan'], scanners = [] }: Partial<Wish>): Wish {
  const all = grant.scanners === '*' || scanners === '*' ? '*' : [...grant.scanners, ...scanners];
  return { may: [...grant.may, ...may], scanners: all };
}

/** Of one origin. */
const MOST_DECLINED = 20;

/** Of one origin: browsers and profiles that were allowed one after the other. */
const MOST_PASSES = 50;
