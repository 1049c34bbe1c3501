/** Checks that a loaded plugin can run in its own process. */
import type { PluginReport, Registry } from '@platen/core';

/** @returns why it cannot, and the fix, as a sentence; undefined if it can */
export function isolationFault(
  { use, provides }: Pick<PluginReport, 'use' | 'provides'>,
  { drivers }: Pick<Registry, 'drivers'>,
): string | undefined {
  const others = provides.filter(({ kind }) => kind !== 'driver').map(({ kind, id }) => `${kind} ${id}`);
  const linked = drivers.find(driver => driver.link);
  const why =
    others.length > 0
      ? `only drivers can, and it provides ${others.join(', ')}`
      : drivers.length === 0
        ? 'only drivers can, and it provides none'
        : linked
          ? `its driver ${linked.id} already reaches scanners of another process`
          : undefined;
  return (
    why &&
    `The plugin "${use}" cannot run in its own process (${why}). Remove "isolate" from its entry in the configuration.`
  );
}
