/**
 * The doctor's checks of the plugins: loads them as the service does, beside it, lets each format encode a page, looks
 * at what is left out and at licences, and asks the drivers what they lack.
 */
import { daysLeft, licenceWarning, loadPlugins, nullLog, type PluginReport } from '@platen/core';
import { askHealth } from '../parts/askHealth.js';
import { gapsOf, gapsRemedy, gapsSentence } from '../../machine/config/gaps.js';
import { platform } from '../../machine/platform.js';
import { loadSettings } from '../../service/loading.js';
import { statesSentence } from '../../machine/plugins/states.js';
import type { Facts } from './facts.js';
import { failed, notReached, ok, skipped, type Outcome } from './finding.js';
import { formatFaults } from './formats.js';

/** States that need a fix. */
const bad = new Set<PluginReport['state']>(['refused', 'unlicensed']);

export async function plugins(facts: Facts): Promise<Outcome> {
  const { config, dataDir } = facts;
  if (!config || dataDir === undefined) return notReached('the configuration and the data folder');
  const entries = config.plugins.map(entry => ({ ...entry, required: false }));
  const { registry, reports } = await loadPlugins({
    ...loadSettings({
      config,
      pluginsDir: facts.settings.pluginsDir,
      dataDir,
      warn: () => undefined,
    }),
    entries,
    log: () => nullLog,
  });
  const faults = await formatFaults(registry.formats);
  const health = await askHealth(registry, false);
  // Closed at once, before these drivers interfere with the service's.
  await registry.close();
  facts.plugins = { reports, health };
  const states = reports.map(({ use, version, state, sentence }) => ({
    use,
    ...(version === undefined ? {} : { version }),
    state,
    ...(sentence === undefined ? {} : { sentence }),
  }));
  return { ...outcomeOf(reports, faults, registry.formats.length), plugins: states };
}

/** @param faults of image formats, of which `formats` are loaded */
function outcomeOf(reports: readonly PluginReport[], faults: readonly string[], formats: number): Outcome {
  const out = reports.filter(({ state }) => bad.has(state));
  if (out.length > 0)
    return failed(
      `${out.length} of ${reports.length} plugins could not be loaded.`,
      [...out.map(({ use, sentence }) => sentence ?? `"${use}" was refused.`), ...faults].join('\n'),
    );
  if (faults.length > 0)
    return failed(`${faults.length} of ${formats} image formats cannot encode.`, faults.join('\n'));
  // The configuration's order decides between plugins that do the same: that is not a fault.
  const unused = reports.flatMap(({ unused: left = [], idleLicence }) => [
    ...left.map(({ sentence }) => sentence),
    ...(idleLicence === undefined ? [] : [idleLicence]),
  ]);
  return ok([statesSentence(reports), ...unused].join('. '));
}

export async function helpers({ plugins: seen }: Facts): Promise<Outcome> {
  if (!seen) return notReached('the plugins');
  const drivers = seen.reports.filter(
    ({ state, provides }) => state === 'loaded' && provides.some(({ kind }) => kind === 'driver'),
  );
  if (drivers.length === 0) return skipped('no loaded plugin provides a driver');
  const lacking = drivers.filter(({ lacks }) => lacks !== undefined);
  if (lacking.length === 0) return ok(`${drivers.map(({ use }) => use).join(', ')}: nothing is missing`);
  return failed(
    `${lacking.map(({ use }) => use).join(', ')}: something is missing.`,
    lacking.map(({ lacks }) => lacks).join('\n'),
  );
}

/** What the configuration leaves out. It never fails: a computer may be meant so. */
export async function gaps({ plugins: seen, config }: Facts): Promise<Outcome> {
  if (!seen || !config) return notReached('the plugins');
  const found = gapsOf(
    seen.reports.flatMap(({ provides }) => provides),
    platform,
  );
  if (found.length === 0) return ok('nothing that pages count on is left out');
  return { ...ok(gapsSentence(found)), remedy: gapsRemedy(config.file) };
}

/** How long each of the loaded plugins may be used. */
export async function licences({ plugins: seen }: Facts): Promise<Outcome> {
  if (!seen) return notReached('the plugins');
  const licensed = seen.reports.flatMap(({ use, entitlement }) => (entitlement ? [{ use, entitlement }] : []));
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
