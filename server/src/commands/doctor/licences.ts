/** The doctor's check of licences: how long each of the loaded plugins may be used. */
import { daysLeft, licenceWarning } from '@platen/core';
import type { Facts } from './facts.js';
import { notReached, ok, type Outcome } from './finding.js';

export async function licences({ plugins }: Facts): Promise<Outcome> {
  if (!plugins) return notReached('the plugins');
  const licensed = plugins.reports.flatMap(({ use, entitlement }) => (entitlement ? [{ use, entitlement }] : []));
  if (licensed.length === 0) return { ...ok('No loaded plugin needs one.'), licences: [] };
  const facts = licensed.map(({ use, entitlement }) => ({
    plugin: use,
    customer: entitlement.customer,
    until: entitlement.expires.toISOString(),
    daysLeft: daysLeft(entitlement),
    trial: entitlement.trial ?? false,
  }));
  const days = facts.map(({ plugin, until, daysLeft: left }) => `${plugin} until ${until.slice(0, 10)}, ${left} days`);
  const warnings = licensed.flatMap(({ use, entitlement }) => licenceWarning(use, entitlement) ?? []);
  const outcome = ok(`${days.join('; ')}.`);
  return warnings.length === 0
    ? { ...outcome, licences: facts }
    : { ...outcome, state: 'warning', remedy: warnings.join('\n'), licences: facts };
}
