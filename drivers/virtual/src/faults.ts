/** Scripted faults: which one a sheet meets, and its message. */
import { ScanError, type DriverCode } from '@platen/core/plugin';
import type { Fault } from './options.js';

const sentences: Readonly<Record<DriverCode, (sheet: number, name: string) => string>> = {
  'not-connected': (_, name) => `The program that "${name}" belongs to is not connected.`,
  'device-not-found': (_, name) => `The scanner "${name}" is gone.`,
  'device-offline': (_, name) => `"${name}" does not answer: check that it is switched on and connected.`,
  busy: (_, name) => `"${name}" is in use by another program.`,
  'no-paper': () => 'There is no paper in the feeder.',
  'paper-jam': sheet => `Sheet ${sheet} jammed in the feeder.`,
  'double-feed': sheet => `Sheet ${sheet} was fed together with another one.`,
  'cover-open': sheet => `The cover was opened while sheet ${sheet} was fed.`,
  unsupported: sheet => `The scanner cannot scan sheet ${sheet} in this way.`,
  timeout: sheet => `Sheet ${sheet} took too long.`,
  cancelled: sheet => `The scan was cancelled on the scanner at sheet ${sheet}.`,
  'driver-failed': sheet => `The scanner's driver failed at sheet ${sheet}.`,
};

export function faultAt(faults: readonly Fault[], sheet: number): Fault['fault'] | undefined {
  return faults.find(each => each.sheet === 'always' || each.sheet === sheet)?.fault;
}

/** Whether the scanner hangs now: when it is opened, or closed, for the first time. */
export type HangsNow = (when: 'open' | 'close') => boolean;

export function firstHangs(faults: readonly Fault[]): HangsNow {
  const met = new Set<string>();
  return when => !met.has(when) && faults.some(({ sheet }) => sheet === when) && Boolean(met.add(when));
}

/** @param sheet 1-based within the scan */
export function faultError(fault: DriverCode, sheet: number, name: string): ScanError {
  return new ScanError(fault, sentences[fault](sheet, name));
}
