/** Kept scans over the fake driver, with a clock that stands still. */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { recordingLog, type FakeDriver } from '@platen/conformance';
import type { Test } from 'tap';
import type { Driver } from '../contract/driver.js';
import { openSpool } from '../pipeline/spool.js';
import type { ScanRequest } from '../scanning/onDemand.js';
import { fakeService, inFront, optionsWith } from '../service.test.kit.js';
import { deferred } from '../time/wait.js';
import type { KeepLimits, KeptRequest } from './keptScans.js';
import type { KeptScan } from './keptScan.js';
import { KEY_MS } from './requestKeys.js';
import { openScanStore, spoolStore } from './scanStore.js';
import type { StoredPage } from './storedPage.js';

export const DAY = 24 * KEY_MS;
export const origin = 'https://app.example';
export const request = (more: Partial<ScanRequest> = {}): ScanRequest => ({
  scannerName: 'Fake scanner',
  options: optionsWith(),
  ...more,
});

export async function folderOf(t: Test): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'platen-kept-'));
  t.teardown(() => rm(folder, { recursive: true, force: true }));
  return folder;
}

/** @param folder with the scans of an earlier run */
export async function keptRig(
  t: Test,
  driver: FakeDriver,
  folder?: string,
  limits: Partial<KeepLimits> = {},
  keep = true,
  front: Driver = driver,
  now?: number,
) {
  const dir = folder ?? (await folderOf(t));
  const log = recordingLog();
  const { scans, clock } = fakeService(front, {
    log,
    keep: { keepMs: DAY, ...limits },
    store: await openScanStore(join(dir, 'scans'), log),
    keepsScans: keep,
    spare: spoolStore(await openSpool(join(dir, 'spool'), 1e9)),
    ...(now === undefined ? {} : { now }),
  });
  t.teardown(() => scans.close('The test is over.'));
  await scans.ready();
  const { kept } = scans;
  const start = (more: Partial<KeptRequest> = {}) => kept.start({ origin, request: request(), ...more });
  return { kept, clock, log, dir, scans, start };
}

/** A driver that answers with its capabilities when a test lets it. */
export function gated(driver: FakeDriver) {
  let open = Promise.resolve();
  let asked = deferred<void>();
  const front = inFront(driver, session => ({
    async capabilities(call) {
      asked.resolve();
      await open;
      return session.capabilities(call);
    },
  }));
  /** @returns when it was asked, and what lets it answer */
  const close = () => {
    const gate = deferred<void>();
    open = gate.promise;
    asked = deferred();
    return { asked: asked.promise, answer: () => gate.resolve() };
  };
  return { front, close };
}

export async function ended(scan: KeptScan): Promise<KeptScan> {
  while (scan.state === 'running') await scan.changed();
  return scan;
}

export async function hexOf(page: StoredPage): Promise<string> {
  await page.check();
  const slices: Uint8Array[] = [];
  for await (const slice of page.read(1000)) slices.push(Uint8Array.from(slice));
  return Buffer.concat(slices).toString('hex');
}

export const bytesOf = async ({ pages }: KeptScan): Promise<string[]> => Promise.all(pages.map(hexOf));
