/** Licences of loaded plugins that end soon, for the page at /app/: whoever sits there is not the administrator. */
import { nearEnd, type Clock, type PluginReport } from '@platen/core';

export interface EndingLicence {
  /** As the configuration names it. */
  readonly plugin: string;
  /** Its last day in UTC, `2026-05-12`. */
  readonly ends: string;
  /** It has ended: the last day of its days of grace. */
  readonly graceEnds?: string;
}

export function endingLicences(reports: readonly PluginReport[], clock: Clock): EndingLicence[] {
  return reports.flatMap(({ use, entitlement }) => {
    const near = entitlement && nearEnd(entitlement, clock);
    if (!near) return [];
    const { expires, grace } = entitlement;
    return [{ plugin: use, ends: dayOf(expires), ...(near === 'grace' && grace && { graceEnds: dayOf(grace) }) }];
  });
}

const dayOf = (date: Date): string => date.toISOString().slice(0, 10);
