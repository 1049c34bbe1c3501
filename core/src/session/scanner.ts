/** The scanner as the service knows it: one is open at a time, one scan runs at a time. */
import type { Device } from '../contract/driver.js';
import { codeOf, ScanError } from '../contract/errors.js';
import type { Log } from '../contract/plugin.js';
import { offeredCapabilities, type OfferedCapabilities } from '../registry/capabilities.js';
import type { KnownDevice } from '../registry/devices.js';
import type { FinishedPage } from '../pipeline/finish.js';
import { callWithin } from './deadline.js';
import { createHolder } from './holder.js';
import { ASK_DEADLINE_MS, createScanRun, type ScanParts, type ScanRequest, type ScanRun } from './scanRun.js';

/** A status that takes longer counts as offline. */
const STATUS_DEADLINE_MS = 2000;

export interface ScannerStatus {
  readonly isOnline: boolean;
  readonly isPaperLoaded: boolean;
  readonly isSourceOpen: boolean;
}

export interface Scanner {
  list(): Promise<readonly KnownDevice[]>;
  status(): Promise<ScannerStatus>;
  /** @throws `device-not-found`, `busy` when it must be opened for that and a scan runs */
  capabilities(name: string): Promise<OfferedCapabilities>;
  /** The run starts when its pages are pulled. @throws `busy` while a scan runs, `not-connected` */
  scan(request: ScanRequest): ScanRun;
  /** Ends the running scan, or only the one that was started under this id. @returns whether there was one */
  cancel(requestId?: string): boolean;
  /** Ends a running scan after the sheet in hand, and closes the scanner. */
  close(reason: string): Promise<void>;
}

export function createScanner(shared: Omit<ScanParts, 'holder'> & { log: Log; idleMs: number }): Scanner {
  const { devices, clock, registry } = shared;
  const holder = createHolder(shared);
  const parts: ScanParts = { ...shared, holder };
  const offered = new Map<string, OfferedCapabilities>();
  let running: ScanRun | undefined;
  let over: Promise<void> = Promise.resolve();
  let closed = false;

  /** Reads them from the open scanner, or opens it for a moment. */
  const askCapabilities = async ({ driver, device, name }: KnownDevice): Promise<OfferedCapabilities> => {
    const open = holder.current?.known;
    const isOpen = open?.driver === driver && open.device.id === device.id;
    if (running && !isOpen) throw new ScanError('busy', `The scanner ${open?.name ?? ''} is scanning: ask for ${name} when it has finished.`);
    const capabilities = await callWithin(clock, ASK_DEADLINE_MS, `asking ${name} what it can do`, async call => {
      if (isOpen && holder.current) return holder.current.session.capabilities(call);
      const session = await driver.open(device.id, call);
      try {
        return await session.capabilities(call);
      } finally {
        await session.close();
      }
    });
    return offeredCapabilities(device, capabilities, registry);
  };

  return {
    list: () => devices.list(),

    async status() {
      const open = holder.current;
      if (!open) return { isOnline: await anyOnline(), isPaperLoaded: false, isSourceOpen: false };
      try {
        const { online, paper } = await callWithin(clock, STATUS_DEADLINE_MS, 'asking for its status', call => open.session.status(call));
        return { isOnline: online, isPaperLoaded: paper === 'loaded', isSourceOpen: true };
      } catch {
        return { isOnline: false, isPaperLoaded: false, isSourceOpen: true };
      }
    },

    async capabilities(name) {
      const known = await devices.find(name);
      const key = `${known.driver.id}\n${known.device.id}`;
      const cached = offered.get(key);
      if (cached) return cached;
      const fresh = await askCapabilities(known);
      offered.set(key, fresh);
      return fresh;
    },

    scan(request) {
      devices.assertConnected();
      if (running || closed) throw new ScanError('busy', closed ? 'The service is stopping.' : 'A scan is running: try again when it has finished, or cancel it.');
      const run = createScanRun(request, parts);
      running = run;
      let finished = (): void => undefined;
      over = new Promise<void>(resolve => (finished = resolve));
      const pages = until(run.pages, () => {
        running = undefined;
        finished();
      });
      return { ...run, pages };
    },

    cancel(requestId) {
      if (!running || (requestId !== undefined && requestId !== running.requestId)) return false;
      running.end(new ScanError('cancelled', 'The scan was cancelled.'));
      return true;
    },

    async close(reason) {
      closed = true;
      running?.end(new ScanError('cancelled', reason));
      await over;
      await holder.close().catch(() => undefined);
      devices.close();
    },
  };

  async function anyOnline(): Promise<boolean> {
    try {
      return (await devices.list()).some(each => each.device.online);
    } catch (error) {
      if (codeOf(error) === 'not-connected') return false;
      throw error;
    }
  }
}

/** The pages, and a word when they are over, however they end. */
async function* until(pages: AsyncGenerator<FinishedPage, void>, over: () => void): AsyncGenerator<FinishedPage, void> {
  try {
    yield* pages;
  } finally {
    over();
  }
}

/** The interface's description of a scanner. */
export function describeScanner({ name, device }: KnownDevice): { name: string } & Pick<Device, 'manufacturer' | 'model'> & Record<'isOnline' | 'hasFeeder' | 'hasFlatbed' | 'supportsDuplex', boolean> {
  const { manufacturer, model, online, feeder, flatbed, duplex } = device;
  return { name, manufacturer, model, isOnline: online, hasFeeder: feeder, hasFlatbed: flatbed, supportsDuplex: duplex };
}
