/** One line of the log at start: the plugins that were loaded, with their versions. */
import type { Log, PluginReport } from '@platen/core';

export function logLoaded(reports: readonly PluginReport[], log: Log): void {
  const loaded = reports
    .filter(({ state }) => state === 'loaded')
    .map(({ use, version }) => (version === undefined ? use : `${use} ${version}`));
  log.info(loaded.length === 0 ? 'No plugin is loaded.' : `Loaded plugins: ${loaded.join(', ')}.`);
}
