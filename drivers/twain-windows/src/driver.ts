/** The driver for TWAIN sources. */
import { createOpenings } from '@platen/core/driver';
import { codeOf, ScanError } from '@platen/core/plugin';
import type { Opening } from '@platen/core/driver';
import type { Device, Driver, Log, Session } from '@platen/core/plugin';
import { deviceDriver, deviceList, quietLog, type Helper } from '@platen/driver-kit';
import { createCapabilityNegotiation } from './capabilities/capabilityNegotiation.js';
import { asScanError } from './protocol/conditions.js';
import { createDataSource, type DataSource } from './source/dataSource.js';
import { createDiscovery, type TwainFound } from './discovery/discovery.js';
import { sourceFolders, watchInstalled } from './discovery/installed.js';
import { createSourceQuarantine } from './source/quarantine.js';
import { createSession } from './scan/session.js';
import { deadlines as usual, type Bits, type Deadlines, type TwainOptions } from './settings.js';

export interface DriverParts {
  readonly options: Omit<TwainOptions, 'helpers'>;
  readonly log: Log;
  /** Starts a helper; each open source and each listing has its own. */
  createHelper(bits: Bits, log: Log): Helper;
  readonly deadlines?: Partial<Deadlines>;
  /** The folders of installed sources, if not Windows' own. */
  readonly folders?: readonly string[];
}

export function twainDriver(parts: DriverParts): Driver {
  const { options, log, createHelper, folders = sourceFolders } = parts;
  const deadlines: Deadlines = { ...usual, page: options.pageSeconds * 1000, ...parts.deadlines };
  const openings = createOpenings("TWAIN's scanners");
  const found = deviceList<TwainFound>({ log, openings, restMs: deadlines.rest });
  const quarantine = createSourceQuarantine(log);
  const createQuiet = (bits: Bits) => createHelper(bits, quietLog(log));
  const discovery = createDiscovery({ found, createHelper: createQuiet, quarantine, log, deadlines, options });

  const listeners = new Set<() => void>();

  /** Records whether a source answers, and tells watches when that changed. */
  function answered(id: string, online: boolean): void {
    const before = found.seen(id)?.device.online;
    found.answered(id, online);
    if (before !== undefined && before !== online) for (const each of [...listeners]) each();
  }

  async function* list(signal: AbortSignal): AsyncGenerator<Device, void, undefined> {
    for await (const { device } of found.list(signal, () => discovery.look(signal))) yield device;
  }

  async function openIn(dataSource: DataSource, before: TwainFound, onClose: Opening['onClose']): Promise<Session> {
    const { id, name } = before.device;
    await found.letGo(id);
    await dataSource.open(id);
    const { abilities } = before;
    const { device, ...known } = abilities ? { ...before, abilities } : await discovery.learn(dataSource, before);
    const negotiation = createCapabilityNegotiation(dataSource, log, name);
    await negotiation.refresh();
    answered(id, true);
    return createSession({
      ...known,
      dataSource,
      negotiation,
      log,
      deadlines,
      options,
      onClose,
      onAnswer: online => answered(id, online),
      device: { ...device, online: true },
    });
  }

  async function open(id: string, { use, ended, onClose }: Opening): Promise<Session> {
    const before = found.seen(id);
    const failures: unknown[] = [];
    const kinds = before ? [before.bits] : options.bits;
    for (const bits of kinds) {
      ended.throwIfAborted();
      const helper = use(createHelper(bits, log));
      const dataSource = createDataSource(helper, deadlines, log, quarantine.guard(bits, ended));
      const missed = (error: unknown) => void failures.push(error);
      const source = before ?? (await discovery.recognise(dataSource, bits, id).catch(missed));
      if (source) return openIn(dataSource, source, onClose);
      await helper.close();
    }
    if (failures.length === kinds.length) throw failures[0];
    throw new ScanError('device-not-found', `TWAIN has no source with the name "${id}".`);
  }

  function explain(error: unknown, id: string): ScanError {
    const meant = asScanError(error, id, false);
    if (codeOf(meant) === 'device-offline') answered(id, false);
    return meant;
  }

  return deviceDriver({
    id: 'twain',
    openings,
    log,
    list,
    open,
    explain,
    watch(onChange) {
      const endInstalled = watchInstalled(folders, () => {
        discovery.retry();
        found.lookAgain();
        onChange();
      });
      const listener = () => onChange();
      listeners.add(listener);
      return () => {
        listeners.delete(listener);
        endInstalled();
      };
    },
  });
}
