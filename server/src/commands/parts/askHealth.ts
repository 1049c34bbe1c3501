/** The health of plugins that a command loaded: those that would disturb a running service are not asked. */
import { createHealth, nullLog, systemClock, type ContributionSet, type HealthAnswer } from '@platen/core';

/** @param mayUseScanners false: another process has the scanners, and plugins with drivers are not asked */
export async function askHealth(
  registry: Pick<ContributionSet, 'healthSources'>,
  mayUseScanners: boolean,
): Promise<readonly HealthAnswer[]> {
  const health = createHealth({
    registry,
    clock: systemClock,
    log: nullLog,
    isQuiet: ({ drivers }) => mayUseScanners || drivers.length === 0,
  });
  const answers = await health.ask();
  health.close();
  return answers;
}
