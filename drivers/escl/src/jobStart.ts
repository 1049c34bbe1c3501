/** How a scan job begins: the device is asked until it takes the order or says why not. */
import { delay, ScanError } from '@platen/core/plugin';
import { paperAt } from './adfStates.js';
import type { JobParts } from './job.js';
import { asGrey, type Prepared } from './prepare.js';
import { writeScanSettings, type ScanSettings } from './scanSettings.js';
import type { Quirks } from './quirks.js';
import type { ScannerStatus } from './scannerStatus.js';
import { feederFault, jobStatuses, meaningOf } from './statuses.js';

export interface Started {
  /** The job's path. */
  readonly path: string;
  /** As the device took them. */
  readonly settings: ScanSettings;
}

/** Undefined: `stop` came while the device was waited for. */
export async function startJob({ client, name, capabilities, quirks, deadlines, stop, ended }: JobParts, first: Prepared): Promise<Started | undefined> {
  const giveUp = performance.now() + deadlines.busy;
  for (let wish = first; ; ) {
    if (stop.aborted) return undefined;
    const answer = await client.createJob(writeScanSettings(wish.settings), ended);
    if ('job' in answer) return { path: answer.job, settings: wish.settings };
    const grey = answer.status === 409 ? asGrey(wish, capabilities) : undefined;
    const wait = answer.retryAfter ?? deadlines.again;
    if (grey) wish = grey;
    else if (answer.status === 503 && performance.now() + wait < giveUp) await delay(wait, ended);
    else throw refusal(answer.status, wish.settings, await client.status(ended).catch(() => undefined), name, quirks);
    ended.throwIfAborted();
  }
}

/** A feeder that cannot scan is refused with one status or another; its own word says why. */
function refusal(httpStatus: number, { source }: ScanSettings, status: ScannerStatus | undefined, name: string, quirks: Quirks): ScanError {
  if (source === 'Feeder' && paperAt(status?.adf ?? '', quirks) === 'empty') return new ScanError('no-paper', `"${name}" has no paper in its feeder.`);
  // Someone else is at it, whatever it says to us.
  if (status?.state === 'Processing' && [409, 500].includes(httpStatus)) return new ScanError('busy', `"${name}" is scanning for someone else (HTTP ${httpStatus}).`);
  const fault = source === 'Feeder' ? feederFault(status?.adf ?? '', name) : undefined;
  if (fault) return fault;
  const { code, words } = meaningOf(jobStatuses, httpStatus);
  return new ScanError(code, `"${name}" ${words} (HTTP ${httpStatus}).`);
}
