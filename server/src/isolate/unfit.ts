/** Why a plugin that was loaded cannot run in a process of its own, if that is so. */
import type { PluginReport, Registry } from '@platen/core';

/** @returns a sentence that says how to repair it */
export function unfit({ use, provides }: Pick<PluginReport, 'use' | 'provides'>, { drivers }: Pick<Registry, 'drivers'>): string | undefined {
  const others = provides.filter(what => !what.startsWith('driver '));
  const linked = drivers.find(driver => driver.link);
  const why =
    others.length > 0 ? `only drivers can, and it brings ${others.join(', ')}`
    : drivers.length === 0 ? 'only drivers can, and it brings none'
    : linked ? `its driver ${linked.id} reaches scanners of another program already`
    : undefined;
  return why && `The plugin "${use}" cannot run in a process of its own (${why}): take "isolate" out of its entry in the configuration.`;
}
