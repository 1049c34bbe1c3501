/** An open scanner on a Mac. */
import { createMutex, deviceSession } from '@platen/core/driver';
import { ScanError, unlessAborted } from '@platen/core/plugin';
import type { DeviceScan } from '@platen/core/driver';
import type { Capabilities, Device, Log, Page, ScanOrder, Session, Status } from '@platen/core/plugin';
import { statusOf } from '@platen/driver-kit';
import { askCapabilities } from './capabilities.js';
import type { Handle } from './device/handle.js';
import { prepare } from './prepare.js';
import { scanPages } from './pages/scan.js';
import type { IcaOptions } from './settings.js';
import { asScanError } from './statuses.js';
import type { FoundThresholds } from './threshold.js';
import { unitTypes } from './unit.js';

export interface SessionParts {
  readonly device: Device;
  readonly handle: Handle;
  readonly transfer: IcaOptions['transfer'];
  readonly log: Log;
  /** If already known. */
  readonly capabilities: Capabilities | undefined;
  /** Ends the helper; called once. */
  onClose(): Promise<void>;
}

export function createSession({ device, handle, transfer, log, capabilities: asked, onClose }: SessionParts): Session {
  const { name } = device;
  const alone = createMutex();
  let capabilities = asked;
  let hasSensor = false;
  const thresholds: FoundThresholds = new Map();

  async function known(): Promise<Capabilities> {
    await handle.ensure().catch((error: unknown) => {
      if (statusOf(error) !== 'NOT_FOUND') throw error;
      const gone = `"${name}" was disconnected. Check that it is switched on and connected.`;
      throw new ScanError('device-offline', gone, { cause: error });
    });
    return (capabilities ??= await askCapabilities(handle, name, transfer));
  }

  /**
   * `documentLoaded` is also false without a sensor. For a feeder alone, trust it once it has been true. Beside a flatbed,
   * assume an empty feeder, otherwise the flatbed would never be used. There, loaded paper is not reported:
   * auto-scan is for sheet-fed scanners (interface).
   */
  async function paperOf(): Promise<Status['paper']> {
    const { feeder, flatbed } = await known();
    if (!feeder) return 'unknown';
    const { loaded } = await handle.select(unitTypes.feeder);
    hasSensor ||= loaded;
    if (flatbed) return loaded ? 'unknown' : 'empty';
    return loaded ? 'loaded' : hasSensor ? 'empty' : 'unknown';
  }

  async function settle(order: ScanOrder) {
    const able = await known();
    if (!able[order.source]) throw new ScanError('unsupported', `"${name}" has no ${order.source}.`);
    return prepare(handle, order, able[order.source]?.driverOptions, thresholds);
  }

  async function* scan(order: ScanOrder, call: DeviceScan): AsyncGenerator<Page, void, undefined> {
    const { stop, ended, seePaper } = call;
    const { source, sheets, maxPixels } = order;
    const prepared = await unlessAborted(
      alone(() => settle(order)),
      ended,
    );
    if (stop.aborted) return;
    if (source === 'feeder' && prepared.wasLoaded) {
      hasSensor = true;
      seePaper(capabilities?.flatbed ? 'unknown' : 'loaded');
    }
    yield* scanPages({ handle, name, transfer, source, sheets, maxPixels, stop, ended, ...prepared });
  }

  return deviceSession<Page>({
    device,
    log,
    alone,
    scan,
    onClose,
    explain: error => asScanError(error, name),
    known: () => capabilities,
    capabilities: known,
    status: async () => ({ online: true, paper: await paperOf() }),
  });
}
