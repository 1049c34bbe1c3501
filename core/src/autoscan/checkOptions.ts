/** Whether auto-scan can use a scanner with these options: found out before there is any paper. */
import type { Capabilities } from '../contract/driver.js';
import { InvalidValue } from '../contract/errors.js';
import { createNoteList, noteOnField, type ScanNote } from '../pipeline/notes.js';
import { planScan } from '../pipeline/plan.js';
import type { ScanOptions } from '../pipeline/scanOptions.js';
import { withReaders } from '../registry/asked.js';
import type { OpenDevice } from '../scanning/openDevice.js';
import type { ScanParts } from '../scanning/scanRun.js';
import type { StatusMemory } from '../scanning/statusMemory.js';
import { TRIAL_MS } from './paperWatch.js';

/** @returns notes for the user. @throws `invalid-value`, and what the scanner throws when it is asked */
export async function checkOptions(
  open: OpenDevice,
  options: ScanOptions,
  ask: { raw(open: OpenDevice): Promise<Capabilities>; readonly statuses: StatusMemory },
  { registry, limits }: Pick<ScanParts, 'registry' | 'limits'>,
): Promise<readonly ScanNote[]> {
  if (options.source === 'Flatbed')
    throw new InvalidValue('source', 'Feeder or Auto for auto-scan', ['Feeder', 'Auto']);
  const notes = createNoteList();
  const { device, name } = open.known;
  const [capabilities, { paper, paperByTrial }] = [await ask.raw(open), await ask.statuses.of(open)];
  planScan({
    device,
    capabilities,
    paper: 'loaded',
    options,
    software: withReaders(registry, options.readers),
    maxPixels: limits.maxPixels,
    note: notes.add,
  });
  if (options.timeoutSeconds > 0)
    notes.add(
      noteOnField(
        'field-ignored',
        'requestTimeoutSeconds',
        'has no effect in auto-scan, whose captures have no request. A device that delivers nothing is given up after scan.inactivitySeconds.',
      ),
    );
  if (!capabilities.feeder) {
    const text = `${name} has no feeder, so auto-scan never gets a page from it. Use on-demand scans.`;
    notes.add({ code: 'no-feeder', text });
  } else if (paper === 'unknown' && paperByTrial) {
    const text = `${name} does not report paper reliably, so auto-scan tries its feeder every ${TRIAL_MS / 1000} s.`;
    notes.add({ code: 'paper-by-trial', text });
  } else if (paper === 'unknown') {
    const text = `${name} does not report paper, so auto-scan never detects a page in it. Use on-demand scans.`;
    notes.add({ code: 'paper-unknown', text });
  }
  return notes.all;
}
