/** An open SANE device. */
import { createMutex, type DeviceScan, deviceSession } from '@platen/core/driver';
import {
  type Device,
  type Log,
  type RawPage,
  ScanError,
  type ScanOrder,
  type Session,
  type Status,
  unlessAborted,
} from '@platen/core/plugin';
import { type Abilities, readAbilities } from './capabilities.js';
import type { Counters } from './counters.js';
import type { Handle } from './handle.js';
import { type OptionSet, readOptionSet } from './options/optionSet.js';
import { prepare } from './prepare.js';
import { scanPages } from './scan.js';
import { asScanError } from './statuses.js';

/** Paper in the feeder: fujitsu, epjitsu, genesys and others; canon_dr; hp5590. */
const paperSensors = ['page-loaded', 'adf-loaded', 'doc-in-adf'];

/** Abilities by the options with which the device opened; reading them sets every source and mode. */
export type AbilitiesRecall = Map<string, Abilities>;

export interface SessionParts {
  readonly device: Device;
  /** As SANE lists the device. */
  readonly type: string;
  readonly handle: Handle;
  readonly log: Log;
  /** What the device could do when it was open before. */
  readonly recall: AbilitiesRecall;
  /** Told once, of the open device. */
  readonly counters: Pick<Counters, 'read'>;
  /** Ends the helper; called once. */
  onClose(): Promise<void>;
}

export function createSession({ device, type, handle, log, recall, counters, onClose }: SessionParts): Session {
  const { name } = device;
  const alone = createMutex();
  let options: OptionSet | undefined;
  let abilities: Abilities | undefined;

  /** The device's options; opens it again if its helper was replaced. */
  async function ready(): Promise<OptionSet> {
    if ((await handle.ensure()) || !options) options = await readOptionSet(handle, log);
    return options;
  }

  async function known(): Promise<Abilities> {
    const open = await ready();
    if (abilities) return abilities;
    const key = JSON.stringify(open.descriptors);
    abilities = recall.get(key) ?? (await readAbilities(handle, open, name, type));
    recall.clear();
    recall.set(key, abilities);
    await counters.read(name, open);
    return abilities;
  }

  async function settle(order: ScanOrder) {
    const { ways, capabilities } = await known();
    const way = ways[order.source];
    if (!way) throw new ScanError('unsupported', `"${name}" has no ${order.source}.`);
    const { driverOptions } = capabilities[order.source] ?? {};
    return prepare({ handle, options: await ready(), way, driverOptions, order, name });
  }

  /** @throws ScanError `timeout` if a page did not begin and must not be tried again */
  function hung(order: ScanOrder, attempt: number, cause: unknown): void {
    // A feeder may have taken a sheet without a sensor that says so: a second try would take another. On the flatbed
    // only the carriage moves.
    const advice =
      order.source === 'feeder'
        ? 'its page in time, and its driver was ended: remove any sheet that was pulled in, then scan again'
        : 'to scan in time, twice, and its driver was ended: switch it off and on, then scan again';
    if (order.source === 'flatbed' && attempt === 1) return;
    throw new ScanError('timeout', `"${name}" did not begin ${advice}.`, { cause });
  }

  async function* scan(order: ScanOrder, call: DeviceScan): AsyncGenerator<RawPage, void, undefined> {
    const { stop, ended, onEmpty } = call;
    const abandon = () => void handle.abandon('a scan was abandoned, and the backend did not stop');
    ended.addEventListener('abort', abandon, { once: true });
    for (let attempt = 1; ; attempt++) {
      const prepared = await unlessAborted(
        alone(() => settle(order)),
        ended,
      );
      ended.throwIfAborted();
      let hangs = false;
      try {
        return yield* scanPages({
          handle,
          name,
          log,
          stop,
          ended,
          onEmpty,
          ...prepared,
          source: order.source,
          sheets: order.sheets ?? Infinity,
          maxPixels: order.maxPixels,
          onHang: () => void (hangs = true),
          async onJam() {
            const isDouble = handle.isOpen && options && (await isDoubleFeed(options).catch(() => false));
            return isDouble ? 'double-feed' : 'paper-jam';
          },
        });
      } catch (error) {
        if (!hangs || ended.aborted) throw error;
        hung(order, attempt, error);
        if (stop.aborted) return;
        log.warn(`"${name}" did not begin to scan in time. Its helper was killed; trying once more.`);
      }
    }
  }

  async function status(): Promise<Status> {
    const open = await ready();
    const paper = abilities && !abilities.capabilities.feeder ? 'unknown' : await paperOf(open);
    return { online: true, paper, ...((await isCoverOpen(open)) ? { detected: 'cover-open' } : {}) };
  }

  return deviceSession<RawPage>({
    device,
    log,
    alone,
    status,
    scan,
    onClose,
    explain: error => asScanError(error, name, handle.isOpen),
    known: () => abilities?.capabilities,
    capabilities: async () => (await known()).capabilities,
  });
}

/** From the sensors of a device that is not scanning; `unknown` without one. */
async function paperOf(options: OptionSet): Promise<Status['paper']> {
  for (const name of paperSensors) {
    const value = flagOf(await options.get(name));
    if (value !== undefined) return value ? 'loaded' : 'empty';
  }
  return 'unknown';
}

async function isCoverOpen(options: OptionSet): Promise<boolean> {
  return flagOf(await options.get('cover-open')) === true;
}

/** SANE has one status for jam and double feed; fujitsu has a sensor for the double feed. */
async function isDoubleFeed(options: OptionSet): Promise<boolean> {
  return flagOf(await options.get('double-feed')) === true;
}

function flagOf(value: unknown): boolean | undefined {
  if (typeof value === 'boolean') return value;
  return typeof value === 'number' ? value !== 0 : undefined;
}
