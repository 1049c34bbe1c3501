/** Consent over memory, for tests. */
import { fakeClock } from '@platen/conformance';
import type { AuditLine } from './audit.js';
import { createConsent, type ConsentParts } from './consent.js';
import type { Grant } from './grant.js';
import type { GrantFolder, StoredGrant } from './grantFolder.js';

export function memoryFolder(): GrantFolder {
  const all = new Map<string, StoredGrant>();
  return {
    read: () => all,
    write: grant => void all.set(grant.origin, grant),
    remove: origin => all.delete(origin),
  };
}

export function testConsent(
  security: ConsentParts['security'] = { origins: 'ask', localPrograms: 'any' },
  given: { readonly fixed?: readonly Grant[]; readonly token?: string } = {},
) {
  const clock = fakeClock();
  const lines: AuditLine[] = [];
  const folder = memoryFolder();
  const consent = createConsent({
    security,
    folder,
    administrators: {
      read: () => new Map((given.fixed ?? []).map(each => [each.origin, each])),
      close: () => undefined,
    },
    audit: line => void lines.push(line),
    clock,
    log: { warn: () => undefined },
    token: given.token,
  });
  return { consent, clock, lines, folder };
}
