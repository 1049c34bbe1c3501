/** An open SANE device. */
import { createMutex, ScanError, unlessAborted, type Device, type Log, type RawPage, type ScanOrder, type Session, type Source, type Status } from '@platen/core/plugin';
import { deviceSession, type DeviceScan } from '@platen/driver-kit';
import { readAbilities, type Abilities } from './capabilities.js';
import type { Handle } from './handle.js';
import { createPanel, type Panel } from './panel.js';
import { pass } from './pass.js';
import { prepare } from './prepare.js';
import { isCoverOpen, isDoubleFeed, paperOf } from './sensors.js';
import { asScanError } from './statuses.js';

export interface SessionParts {
  readonly device: Device;
  /** As SANE lists the device. */
  readonly type: string;
  readonly handle: Handle;
  readonly log: Log;
  /** Ends the helper; called once. */
  onClose(): Promise<void>;
}

export function createSession({ device, type, handle, log, onClose }: SessionParts): Session {
  const { name } = device;
  let panel: Panel | undefined;
  let abilities: Abilities | undefined;
  const alone = createMutex();

  const explain = (error: unknown): ScanError => asScanError(error, name, handle.isOpen);

  /** The device's options: it is opened again where its helper was replaced. */
  async function ready(): Promise<Panel> {
    if ((await handle.ensure()) || !panel) panel = await createPanel(handle, log);
    return panel;
  }

  async function known(): Promise<Abilities> {
    const open = await ready();
    return (abilities ??= await readAbilities(handle, open, name, type));
  }

  async function sourceOf(order: ScanOrder, open: Panel, { capabilities }: Abilities, seePaper: DeviceScan['seePaper']): Promise<Source> {
    if (order.source) return order.source;
    if (!capabilities.feeder) return 'flatbed';
    const paper = await paperOf(open);
    seePaper(paper);
    return capabilities.flatbed && paper === 'empty' ? 'flatbed' : 'feeder';
  }

  async function* begin(order: ScanOrder, { stop, ended, seePaper, onEmpty }: DeviceScan): AsyncGenerator<RawPage, void, undefined> {
    ended.addEventListener('abort', () => void handle.abandon('a scan was abandoned, and the backend did not stop'), { once: true });
    for (let attempt = 1; ; attempt++) {
      const settled = await unlessAborted(alone(() => settle(order, seePaper)), ended).catch((error: unknown) => {
        throw explain(error);
      });
      ended.throwIfAborted();
      let hung = false;
      try {
        return yield* pass({
          handle, name, log, stop, ended, ...settled,
          sheets: order.sheets ?? Infinity,
          maxPixels: order.maxPixels,
          onEmpty,
          onHang: () => void (hung = true),
          async onJam() {
            const is = handle.isOpen && panel && (await isDoubleFeed(panel).catch(() => false));
            return is ? 'double-feed' : 'paper-jam';
          },
        });
      } catch (error) {
        if (!hung || ended.aborted) throw error;
        // A feeder may have taken a sheet, and no sensor tells: a second try would take another one. On the flatbed nothing moves but the carriage.
        if (settled.source === 'feeder') throw new ScanError('timeout', `"${name}" did not begin its page in time, and its driver was ended: take out a sheet that was drawn in, then scan again.`, { cause: error });
        if (attempt > 1) throw new ScanError('timeout', `"${name}" did not begin to scan in time, twice, and its driver was ended: switch it off and on, then scan again.`, { cause: error });
        if (stop.aborted) return;
        log.warn(`"${name}" did not begin to scan in time, and its driver was ended: it is tried once more.`);
      }
    }
  }

  async function settle(order: ScanOrder, seePaper: DeviceScan['seePaper']) {
    const able = await known();
    const open = await ready();
    const source = await sourceOf(order, open, able, seePaper);
    const way = able.ways[source];
    if (!way) throw new ScanError('unsupported', `"${name}" has no ${source}.`);
    return { source, ...(await prepare(handle, open, source, way, order, name)) };
  }

  async function ask(): Promise<Status> {
    const open = await ready();
    const paper = abilities && !abilities.capabilities.feeder ? 'unknown' : await paperOf(open);
    return { online: true, paper, ...((await isCoverOpen(open)) ? { detected: 'cover-open' } : {}) };
  }

  return deviceSession<RawPage>({
    device,
    log,
    alone,
    explain,
    known: () => abilities?.capabilities,
    capabilities: async () => (await known()).capabilities,
    status: ask,
    scan: begin,
    onClose,
  });
}
