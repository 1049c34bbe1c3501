/** Waits until the source has the next page ready to be transferred; enables it first if necessary. */
import { ScanError, type Log, type Source } from '@platen/core/plugin';
import type { CapabilityNegotiation } from '../capabilities/capabilityNegotiation.js';
import { CC, isNoPaper, Refusal } from '../protocol/conditions.js';
import { DE, RC } from '../protocol/constants.js';
import type { DataSource } from '../source/dataSource.js';
import type { Prepared } from './prepare.js';

export interface TransferReadyWait {
  readonly dataSource: DataSource;
  readonly negotiation: CapabilityNegotiation;
  readonly prepared: Prepared;
  readonly source: Source;
  /** The scanner's name. */
  readonly name: string;
  readonly log: Log;
  /** Time limit for a page to be ready. */
  readonly pageMs: number;
  /** Ends the wait at once, with its reason. */
  readonly ended: AbortSignal;
}

/** Device events that end a page like a condition of the transfer. */
const conditionOf: Readonly<Record<number, number>> = {
  [DE.PAPERJAM]: CC.PAPERJAM,
  [DE.PAPERDOUBLEFEED]: CC.PAPERDOUBLEFEED,
  [DE.DEVICEOFFLINE]: CC.CHECKDEVICEONLINE,
  [DE.DEVICEREMOVED]: CC.CHECKDEVICEONLINE,
};

/**
 * @param isFirst for the first page: an empty feeder is then a failure, later the end of the scan
 * @returns whether a page is ready
 * @throws Refusal; ScanError `timeout` if the source reports nothing, `unsupported` if it shows a window
 */
export async function waitForTransferReady(wait: TransferReadyWait, isFirst: boolean): Promise<boolean> {
  const { dataSource, negotiation, prepared, source, name, ended } = wait;
  if (dataSource.state === 'ready') return true;
  if (!dataSource.isOpen) {
    throw new ScanError('driver-failed', `"${name}" did not end its last page, and its driver was ended.`);
  }
  // The source was enabled once, and has reported that no page follows.
  if (prepared.continuous && !isFirst) return false;
  const noPaper = new Refusal('CAP_FEEDERLOADED', RC.FAILURE, CC.NOMEDIA);
  if (prepared.sensesPaper && (await negotiation.current('FEEDERLOADED')) === false) {
    // The sensor of a scanner that went away reports no paper either: the end of the scan would hide the rest of the stack.
    if ((await negotiation.current('DEVICEONLINE')) === false)
      throw new Refusal('CAP_DEVICEONLINE', RC.FAILURE, CC.CHECKDEVICEONLINE);
    if (isFirst) throw noPaper;
    return false;
  }
  let hasWindow: boolean;
  try {
    hasWindow = await dataSource.enable();
  } catch (error) {
    if (!isFirst && isNoPaper(error)) return false;
    throw error;
  }
  if (hasWindow) {
    throw new ScanError('unsupported', `"${name}" shows a window of its driver, although none was requested.`);
  }
  ended.throwIfAborted();
  if (await becomesReady(wait)) return true;
  // Many sources ask to be closed when their feeder is empty, some when the scan is cancelled at the scanner.
  if (!isFirst) return false;
  if (source === 'feeder' && !prepared.sensesPaper) throw noPaper;
  const why = 'ended the scan before its first page, and its driver gives no reason';
  throw new ScanError('driver-failed', `"${name}" ${why}.`);
}

/** @returns false if the source asks to be closed */
async function becomesReady({ dataSource, name, log, pageMs, ended }: TransferReadyWait): Promise<boolean> {
  const until = performance.now() + pageMs;
  for (let left = pageMs; left > 0; left = until - performance.now()) {
    const event = await dataSource.waitForEvent(left);
    ended.throwIfAborted();
    if (event === 'ready') return true;
    if (event === 'closing') return false;
    if (event === 'nothing') continue;
    const cc = conditionOf[event.deviceEvent];
    if (cc !== undefined) throw new Refusal(`DEVICEEVENT ${event.deviceEvent}`, RC.FAILURE, cc);
    log.debug(`"${name}" reports its event ${event.deviceEvent}.`);
  }
  const silence = `has reported nothing about a page for ${Math.round(pageMs / 1000)} s`;
  throw new ScanError('timeout', `"${name}" ${silence}: check whether paper is stuck in it.`);
}
