/** The service of a walk over kept scans, and where its scans outlive it. */
import { fakeDriver } from '@platen/conformance';
import { fakeService } from '../service.test.kit.js';
import { DAY } from './keptScans.test.kit.js';
import type { ScanStore } from './scanStore.js';

/** Of three web pages and of programs. */
export const origins = ['https://shop.example', 'https://bank.example', 'https://club.example', ''] as const;
export type Origin = (typeof origins)[number];
export const scanners = ['Desk', 'Hall', 'Till'] as const;
export type ScannerName = (typeof scanners)[number];
export const idOf = (name: ScannerName): string => `fake-${scanners.indexOf(name) + 1}`;

/** Where scans outlive the service. */
export interface Home {
  open(): Promise<ScanStore>;
  readonly spare: Pick<ScanStore, 'create'>;
  /** Resolves when it is known there that a client has the page. */
  delivered(id: string, page: number): Promise<void>;
  /** Its work takes time that no fake clock knows. */
  readonly isSlow: boolean;
  /** What a crash at this moment leaves. */
  crash(): Home;
}

/** What runs now. */
export interface World {
  home: Home;
  service: Service;
  /** What the old service does counts no more. */
  hasCrashed: boolean;
  /** The service takes no calls, and ends what runs. */
  isStopping: boolean;
}

export type Service = Awaited<ReturnType<typeof serve>>;

/** @param now the system clock; that of a first service when absent */
export async function serve(home: Home, keepBytes: number, now?: number) {
  const driver = fakeDriver({
    devices: scanners.map(name => ({ name, flatbed: false })),
    sheets: 2,
    page: { width: 8, height: 4 },
  });
  // Lines form here, until the first page may go.
  driver.hold(idOf(scanners[0]));
  const { scans, clock, devices } = fakeService(driver, {
    keep: { keepMs: DAY, keepBytes },
    store: await home.open(),
    spare: home.spare,
    ...(now === undefined ? {} : { now }),
  });
  await scans.ready();
  return { driver, scans, clock, devices, kept: scans.kept };
}
