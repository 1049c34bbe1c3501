/** Licences of loaded plugins while the service runs: the log says once a day which of them end soon; they end by the clock. */
import { endOf, licenceWarning, type Clock, type Log, type PluginReport } from '@platen/core';

const HOUR_MS = 60 * 60 * 1000;
/** After the end of a licence: then it has ended on every clock. */
const AFTER_MS = 1000;

export interface LicenceWatch {
  /** As of now. */
  reports(): readonly PluginReport[];
  log(use: string): Log;
  readonly clock: Clock;
  /** Called when a licence has ended while its plugin is loaded. */
  ended(): void;
}

/**
 * The loader logged the first day's.
 * @returns `again` is called when the plugins have changed
 */
export function watchLicences({ reports, log, clock, ended }: LicenceWatch): { again(): void; end(): void } {
  let told = today();
  let cancel = next();
  return {
    again() {
      cancel();
      cancel = next();
    },
    end: () => cancel(),
  };

  // Looks every hour, because clocks jump and computers sleep.
  function next(): () => void {
    const ends = licensed().map(({ entitlement }) => endOf(entitlement).getTime() + AFTER_MS - clock.now());
    const soonest = Math.min(HOUR_MS, ...ends.filter(ms => ms > 0));
    return clock.after(soonest, () => {
      cancel = next();
      if (licensed().some(({ entitlement }) => endOf(entitlement).getTime() <= clock.now())) ended();
      if (told === today()) return;
      told = today();
      for (const { use, entitlement } of licensed()) {
        const warning = licenceWarning(use, entitlement, clock);
        if (warning !== undefined) log(use).warn(warning);
      }
    });
  }

  function licensed() {
    return reports().flatMap(({ use, entitlement }) => (entitlement ? [{ use, entitlement }] : []));
  }

  function today(): string {
    return new Date(clock.now()).toISOString().slice(0, 10);
  }
}
