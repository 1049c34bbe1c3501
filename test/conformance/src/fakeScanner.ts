/** One scanner of the fake driver: its paper, its path, its faults, and what a test has seen of it. */
import { type Device, type DriverCode, ScanError, type Status } from '@platen/core/plugin';

export type FakeFault = DriverCode | 'hang' | 'torn';

export interface FakeScanner {
  readonly device: Device;
  /** Aborted while the scanner is unplugged; replaced when it is plugged in again. */
  unplugged: AbortController;
  tray: number;
  /** What the sensor says; absent: the truth. */
  paper: Status['paper'] | undefined;
  detected: Status['detected'];
  readonly faults: Map<number, FakeFault>;
  /** Resolves when pages may leave the path; replaced by `hold`. */
  gate: Promise<void>;
  /** Ends the session that is open, with the reason for it. */
  end: ((reason: ScanError) => void) | undefined;
  readonly watchers: Set<(event: 'paper' | 'button' | 'offline') => void>;
}

export function fakeScanner(device: Device, sheets: number, faults: Readonly<Record<number, FakeFault>>): FakeScanner {
  const scanner: FakeScanner = {
    device,
    unplugged: new AbortController(),
    tray: device.feeder ? sheets : 0,
    paper: undefined,
    detected: undefined,
    faults: new Map(Object.entries(faults).map(([sheet, fault]) => [Number(sheet), fault])),
    gate: Promise.resolve(),
    end: undefined,
    watchers: new Set(),
  };
  if (!device.online) unplug(scanner);
  return scanner;
}

export function paperOf(scanner: FakeScanner): Status['paper'] {
  return scanner.paper ?? (scanner.tray > 0 ? 'loaded' : 'empty');
}

export function unplug(scanner: FakeScanner): void {
  scanner.unplugged.abort(new ScanError('device-offline', `${scanner.device.name} is switched off or unplugged`));
}
