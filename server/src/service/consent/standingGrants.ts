/** The grants and refusals that count now: of the person, of an administrator, and of the configuration. */
import { messageOf, type Clock, type Log } from '@platen/core';
import type { AdministratorsGrants } from './administrator.js';
import type { Audit } from './audit.js';
import { isOver, type Grant } from './grant.js';
import type { By, GrantFolder } from './grantFolder.js';
import type { Caller } from './holds.js';
import { hashOf } from './questions.js';

export interface KnownGrant extends Grant {
  readonly by: By | 'file' | 'configuration';
  /** Milliseconds since 1970. */
  readonly at?: number;
}

export interface StandingGrants {
  /** The page's own grant; refusals too. Undefined if nobody answered, or its time is over. */
  of(caller: Caller): Grant | undefined;
  /** One for each origin, by name; an administrator's replaces the person's. @param configured those of the configuration */
  list(configured: readonly KnownGrant[]): readonly KnownGrant[];
}

export interface StandingGrantsParts {
  readonly folder: GrantFolder;
  readonly administrators: AdministratorsGrants;
  readonly audit: Audit;
  readonly clock: Clock;
  readonly log: Pick<Log, 'warn'>;
  /** Whether a page must prove that its grant is its own. */
  readonly needsPass: boolean;
}

export function createStandingGrants(parts: StandingGrantsParts): StandingGrants {
  const { folder, administrators, audit, clock, log, needsPass } = parts;

  const lapse = ({ origin }: Grant): void => {
    try {
      folder.remove(origin);
      audit({ event: 'lapsed', origin });
    } catch (error) {
      log.warn(`The grant of ${origin} is over, and its file could not be removed: ${messageOf(error)}`);
    }
  };

  return {
    of({ origin, secret }) {
      const fixed = administrators.read().get(origin);
      if (fixed) return isOver(fixed, clock.now()) ? undefined : fixed;
      const own = folder.read().get(origin);
      if (!own) return undefined;
      if (isOver(own, clock.now())) {
        lapse(own);
        return undefined;
      }
      const isProven = !needsPass || own.may.length === 0 || own.passes.includes(hashOf(secret ?? ''));
      return isProven ? own : undefined;
    },
    list(configured) {
      const all = new Map<string, KnownGrant>(configured.map(grant => [grant.origin, grant]));
      const now = clock.now();
      for (const grant of folder.read().values()) if (!isOver(grant, now)) all.set(grant.origin, grant);
      for (const grant of administrators.read().values()) all.set(grant.origin, { ...grant, by: 'file' });
      return [...all.values()].sort((a, b) => (a.origin < b.origin ? -1 : 1));
    },
  };
}
