/**
 * What devices count: rollers, pages, hours of the lamp, and their firmware. Read from read-only options while a device is
 * open anyway, and told from memory.
 */
import type { HealthFact, PluginHealth } from '@platen/core/plugin';
import type { OptionSet } from './options/optionSet.js';

export interface Counters {
  /** Never rejects: an option that cannot be read is left out. @param device its name */
  read(device: string, options: OptionSet): Promise<void>;
  /** As each device was when it was opened last. */
  health(): PluginHealth;
}

/** `roller-counter` and `total-counter` of canon_dr, and what other backends may call theirs. */
const telling = /(?:^|-)(?:count|counter|counts|counters|firmware|hours|rollers?)(?:-|$)/;

export function createCounters(): Counters {
  const facts = new Map<string, readonly HealthFact[]>();
  return {
    async read(device, options) {
      const found: HealthFact[] = [];
      for (const { name, title, settable, readable, active } of options.descriptors) {
        if (settable || !readable || !active || !telling.test(name)) continue;
        const value = await options.get(name).catch(() => undefined);
        const isNumber = typeof value === 'number';
        if (!isNumber && (typeof value !== 'string' || value.trim() === '')) continue;
        found.push({
          name: factName(name),
          value,
          device,
          ...(isNumber ? { metric: 'gauge' } : {}),
          ...(title === '' ? {} : { title }),
        });
      }
      if (found.length > 0) facts.set(device, found);
    },
    health: () => ({ state: 'ok', facts: [...facts.values()].flat() }),
  };
}

/** Prometheus keeps `_count` and `_total` for others: a roller's counter starts again at 0. */
function factName(option: string): string {
  return option
    .replaceAll('-', '_')
    .replace(/_count$/, '_counter')
    .replace(/_total$/, '');
}
