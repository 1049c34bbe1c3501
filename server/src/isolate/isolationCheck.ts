/** Checks that a plugin which is loaded can run in a process of its own. */
import type { PluginReport, Registry } from '@platen/core';

/** @returns why it cannot, and the repair, as a sentence; undefined where it can */
export function isolationFault(
  { use, provides }: Pick<PluginReport, 'use' | 'provides'>,
  { drivers }: Pick<Registry, 'drivers'>,
): string | undefined {
  const others = provides.filter(({ kind }) => kind !== 'driver').map(({ kind, id }) => `${kind} ${id}`);
  const linked = drivers.find(driver => driver.link);
  const why =
    others.length > 0
      ? `only drivers can, and it brings ${others.join(', ')}`
      : drivers.length === 0
        ? 'only drivers can, and it brings none'
        : linked
          ? `its driver ${linked.id} reaches scanners of another program already`
          : undefined;
  return (
    why &&
    `The plugin "${use}" cannot run in a process of its own (${why}): take "isolate" out of its entry in the configuration.`
  );
}
