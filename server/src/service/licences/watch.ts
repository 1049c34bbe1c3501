/** Licences of loaded plugins while the service runs: the log says once a day which of them end soon. */
import { licenceWarning, type Clock, type Log, type PluginReport } from '@platen/core';

const HOUR_MS = 60 * 60 * 1000;

/**
 * The loader logged the first day's.
 * @param log of a plugin
 * @returns ends it
 */
export function watchLicences(reports: readonly PluginReport[], log: (use: string) => Log, clock: Clock): () => void {
  const licensed = reports.flatMap(({ use, entitlement }) => (entitlement ? [{ use, entitlement }] : []));
  if (licensed.length === 0) return () => undefined;
  let told = today();
  let cancel = next();
  return () => cancel();

  // Looks every hour, because clocks jump and computers sleep.
  function next(): () => void {
    return clock.after(HOUR_MS, () => {
      cancel = next();
      if (told === today()) return;
      told = today();
      for (const { use, entitlement } of licensed) {
        const warning = licenceWarning(use, entitlement, clock);
        if (warning !== undefined) log(use).warn(warning);
      }
    });
  }

  function today(): string {
    return new Date(clock.now()).toISOString().slice(0, 10);
  }
}
