/**
 * The doctor's checks of the plugins: loads them as the service does, beside it, lets each format encode a page, and
 * asks the drivers what they lack.
 */
import { daysLeft, loadPlugins, nullLog, type PluginReport } from '@platen/core';
import { loadSettings } from '../loading.js';
import type { Facts } from './facts.js';
import { failed, notReached, ok, skipped, type Outcome } from './finding.js';
import { formatFaults } from './formats.js';

export interface PluginsSeen {
  readonly reports: readonly PluginReport[];
}

/** States that need a fix. */
const bad = new Set<PluginReport['state']>(['refused', 'unlicensed']);

export async function plugins(facts: Facts): Promise<Outcome> {
  const { config, dataDir } = facts;
  if (!config || dataDir === undefined) return notReached('the configuration and the data folder');
  const entries = config.plugins.map(entry => ({ ...entry, required: false }));
  const { registry, reports } = await loadPlugins({
    ...loadSettings({
      configFile: config.file,
      pluginsDir: facts.settings.pluginsDir,
      dataDir,
      warn: () => undefined,
    }),
    entries,
    log: () => nullLog,
  });
  const faults = await formatFaults(registry.formats);
  // Closed at once, before these drivers interfere with the service's.
  await registry.close();
  facts.plugins = { reports };
  const out = reports.filter(({ state }) => bad.has(state));
  const loaded = reports.filter(({ state }) => state === 'loaded').length;
  if (out.length > 0)
    return failed(
      `${out.length} of ${reports.length} plugins could not be loaded.`,
      [...out.map(({ use, sentence }) => sentence ?? `"${use}" was refused.`), ...faults].join('\n'),
    );
  if (faults.length > 0)
    return failed(`${faults.length} of ${registry.formats.length} image formats cannot encode.`, faults.join('\n'));
  // The configuration's order decides between plugins that do the same: that is not a fault.
  const unused = reports.flatMap(({ unused: left = [], idleLicence, entitlement }) => [
    ...left.map(({ sentence }) => sentence),
    ...(idleLicence === undefined ? [] : [idleLicence]),
    ...(entitlement?.trial
      ? [`The licence for ${entitlement.customer} is a trial: ${daysLeft(entitlement)} days left.`]
      : []),
  ]);
  return ok(
    [
      `${loaded} loaded${reports.length > loaded ? `, ${reports.length - loaded} not for this system` : ''}`,
      ...unused,
    ].join('. '),
  );
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
