/** The doctor's look at what the configuration leaves out. It never fails: a computer may be meant so. */
import { gapsOf, gapsRemedy, gapsSentence } from '../../machine/config/gaps.js';
import { platform } from '../../machine/platform.js';
import type { Facts } from './facts.js';
import { notReached, ok, type Outcome } from './finding.js';

export async function gaps({ plugins: seen, config }: Facts): Promise<Outcome> {
  if (!seen || !config) return notReached('the plugins');
  const found = gapsOf(
    seen.reports.flatMap(({ provides }) => provides),
    platform,
  );
  if (found.length === 0) return ok('nothing that pages count on is left out');
  return { ...ok(gapsSentence(found)), remedy: gapsRemedy(config.file) };
}
