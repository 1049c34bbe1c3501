/** An open scanner. */
import { createMutex, deviceSession, ScanError, unlessAborted, type Capabilities, type Device, type DeviceScan, type Log, type Page, type ScanOrder, type Session, type Source, type Status } from '@platen/core/plugin';
import { askCapabilities } from './capabilities.js';
import type { Handle } from './handle.js';
import { pass } from './pass.js';
import { prepare } from './prepare.js';
import type { IcaOptions } from './settings.js';
import { asScanError, statusOf } from './statuses.js';
import { unitTypes } from './unit.js';

export interface SessionParts {
  readonly device: Device;
  readonly handle: Handle;
  readonly transfer: IcaOptions['transfer'];
  readonly log: Log;
  /** Where it is known already. */
  readonly capabilities: Capabilities | undefined;
  /** Ends the helper; called once. */
  onClose(): Promise<void>;
}

export function createSession({ device, handle, transfer, log, capabilities: asked, onClose }: SessionParts): Session {
  const { name } = device;
  const alone = createMutex();
  let capabilities = asked;
  let hasSensor = false;

  const explain = (error: unknown): ScanError => asScanError(error, name);

  async function known(): Promise<Capabilities> {
    await handle.ensure().catch((error: unknown) => {
      if (statusOf(error) !== 'NOT_FOUND') throw error;
      throw new ScanError('device-offline', `"${name}" is no longer there: see that it is switched on and connected.`, { cause: error });
    });
    return (capabilities ??= await askCapabilities(handle, name));
  }

  /**
   * `documentLoaded` is false as well where no sensor says so. A feeder alone is believed once it has said true; beside a glass it is believed to be
   * empty, or nothing would ever be scanned from the glass. There loaded paper is not told: auto-scan is for sheetfed scanners (interface).
   */
  async function askPaper(): Promise<Status['paper']> {
    const { feeder, flatbed } = await known();
    if (!feeder) return 'unknown';
    const { loaded } = await handle.select(unitTypes.feeder);
    hasSensor ||= loaded;
    if (flatbed) return loaded ? 'unknown' : 'empty';
    return loaded ? 'loaded' : hasSensor ? 'empty' : 'unknown';
  }

  async function sourceOf(order: ScanOrder, seePaper: DeviceScan['seePaper']): Promise<Source> {
    if (order.source) return order.source;
    const { feeder, flatbed } = await known();
    if (!feeder) return 'flatbed';
    const paper = await askPaper();
    seePaper(paper);
    return flatbed && paper === 'empty' ? 'flatbed' : 'feeder';
  }

  async function* begin(order: ScanOrder, { stop, ended, seePaper }: DeviceScan): AsyncGenerator<Page, void, undefined> {
    const settled = await unlessAborted(
      alone(async () => {
        const able = await known();
        const source = await sourceOf(order, seePaper);
        if (!able[source]) throw new ScanError('unsupported', `"${name}" has no ${source}.`);
        return { source, ...(await prepare(handle, source, order)) };
      }),
      ended,
    ).catch((error: unknown) => {
      throw ended.aborted ? ended.reason : explain(error);
    });
    if (stop.aborted) return;
    if (settled.source === 'feeder' && settled.wasLoaded) {
      hasSensor = true;
      seePaper(capabilities?.flatbed ? 'unknown' : 'loaded');
    }
    yield* pass({ handle, name, transfer, maxPixels: order.maxPixels, sheets: order.sheets, stop, ended, ...settled });
  }

  async function ask(): Promise<Status> {
    return { online: true, paper: await askPaper() };
  }

  return deviceSession<Page>({ device, log, alone, explain, known: () => capabilities, capabilities: known, status: ask, scan: begin, onClose });
}
