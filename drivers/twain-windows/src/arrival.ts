/** The next page's way to where it can be taken over: enabling the source, and waiting for what it says. */
import { ScanError, type Log, type Source } from '@platen/core/plugin';
import { CC, Refusal } from './conditions.js';
import type { Handle } from './handle.js';
import type { Negotiation } from './negotiation.js';
import type { Prepared } from './prepare.js';
import { DE, RC } from './triplets.js';

export interface Way {
  readonly handle: Handle;
  readonly talk: Negotiation;
  readonly prepared: Prepared;
  readonly source: Source;
  readonly name: string;
  readonly log: Log;
  /** Milliseconds in which a page must be on its way. */
  readonly patience: number;
  /** Ends at once, with its reason. */
  readonly ended: AbortSignal;
}

/** What the device tells while the transfer says nothing. */
const tellings: Readonly<Record<number, number>> = {
  [DE.PAPERJAM]: CC.PAPERJAM,
  [DE.PAPERDOUBLEFEED]: CC.PAPERDOUBLEFEED,
  [DE.DEVICEOFFLINE]: CC.CHECKDEVICEONLINE,
  [DE.DEVICEREMOVED]: CC.CHECKDEVICEONLINE,
};

/**
 * @param isFirst of the scan: no paper is a fault then, and an end afterwards
 * @returns whether there is a page to take over
 * @throws Refusal; ScanError `timeout` of a source that says nothing, `unsupported` of one that shows its window
 */
export async function arrive(way: Way, isFirst: boolean): Promise<boolean> {
  const { handle, talk, prepared, source, name, ended } = way;
  if (handle.state === 'ready') return true;
  if (!handle.isOpen) throw new ScanError('driver-failed', `"${name}" did not end its last page, and its driver was ended.`);
  // It was enabled once, and has said that nothing follows.
  if (prepared.continuous && !isFirst) return false;
  const empty = async () => prepared.sensesPaper && (await talk.current('FEEDERLOADED')) === false;
  const noPaper = new Refusal('CAP_FEEDERLOADED', RC.FAILURE, CC.NOMEDIA);
  if (await empty()) {
    if (isFirst) throw noPaper;
    return false;
  }
  try {
    if (await handle.enable()) throw new ScanError('unsupported', `"${name}" shows a window of its driver although it was told not to.`);
  } catch (error) {
    if (!isFirst && isNoPaper(error)) return false;
    throw error;
  }
  ended.throwIfAborted();
  if (await awaited(way)) return true;
  // Many ask to be closed when their feeder is empty, and some when a person has pressed cancel.
  if (!isFirst) return false;
  if (source === 'feeder' && !prepared.sensesPaper) throw noPaper;
  throw new ScanError('driver-failed', `"${name}" ended the scan before its first page, and its driver does not say why.`);
}

export function isNoPaper(error: unknown): boolean {
  return error instanceof Refusal && error.cc === CC.NOMEDIA;
}

/** @returns false where the source asks to be closed */
async function awaited({ handle, name, log, patience, ended }: Way): Promise<boolean> {
  const until = performance.now() + patience;
  for (let left = patience; left > 0; left = until - performance.now()) {
    const happening = await handle.wait(left);
    ended.throwIfAborted();
    if (happening === 'ready') return true;
    if (happening === 'closing') return false;
    if (happening === 'nothing') continue;
    const cc = tellings[happening.deviceEvent];
    if (cc !== undefined) throw new Refusal(`DEVICEEVENT ${happening.deviceEvent}`, RC.FAILURE, cc);
    log.debug(`"${name}" tells of its event ${happening.deviceEvent}.`);
  }
  throw new ScanError('timeout', `"${name}" has said nothing of a page for ${Math.round(patience / 1000)} s: look whether paper is stuck in it.`);
}
