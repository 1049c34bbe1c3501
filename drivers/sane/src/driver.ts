/** The driver for SANE's scanners. */
import { asDriverError, createOpenings, type Opening } from '@platen/core/driver';
import {
  codeOf,
  type Device,
  type Log,
  messageOf,
  type PluginHealth,
  ScanError,
  type Session,
  unlessAborted,
} from '@platen/core/plugin';
import { deviceDriver, type DeviceDriver, deviceList, HelperFailure } from '@platen/driver-kit';
import { createCounters } from './counters.js';
import { createDiscovery, remedy, type SaneFound } from './discovery.js';
import { createHandle } from './handle.js';
import { type MakeHelper, repair } from './helper.js';
import { watchUsb } from './hotPlug.js';
import { type AbilitiesRecall, createSession } from './session.js';
import { type Deadlines, deadlines as usual, isAllowed, type SaneOptions } from './settings.js';
import { asScanError } from './statuses.js';

/** A device that could not be asked is not asked again for this long, ms. */
const REST_MS = 60_000;

export interface DriverParts {
  readonly options: Omit<SaneOptions, 'configDir'>;
  readonly log: Log;
  /** Starts a helper; each open device and each listing has its own. */
  readonly createHelper: MakeHelper;
  readonly deadlines?: Partial<Deadlines>;
  /** Replaces /dev/bus/usb, for tests. */
  readonly usb?: string;
}

export interface SaneDriver extends DeviceDriver {
  /** From memory: opens no scanner. */
  health(): PluginHealth;
}

export function saneDriver({ options, log, createHelper, deadlines: own, usb }: DriverParts): SaneDriver {
  const deadlines: Deadlines = { ...usual, silence: options.silenceSeconds * 1000, ...own };
  const openings = createOpenings("SANE's scanners");
  const found = deviceList<SaneFound>({ log, openings, restMs: REST_MS });
  const { localOnly, devices } = options;
  const counters = createCounters();
  const recalls = new Map<string, AbilitiesRecall>();
  const { isInUse } = openings;
  const discovery = createDiscovery({ found, createHelper, log, deadlines, isInUse, localOnly, devices });

  const openDevices = (): Device[] => [...openings.sessions.values()].map(({ device }) => device);

  async function* list(signal: AbortSignal): AsyncGenerator<Device, void, undefined> {
    for await (const { device } of found.list(signal, () => discovery.look(signal))) yield device;
    // A backend may not list a device that another process has open.
    yield* openDevices();
  }

  function recall(error: unknown): Device[] {
    const before = found.before();
    // On failure, core still lists the scanners of the last run.
    if (!before && !isMissing(error)) throw asDriverError(error);
    return [...(before ?? []).map(({ device }) => device), ...openDevices()];
  }

  async function open(deviceId: string, { use, ended, onClose }: Opening): Promise<Session> {
    if (!isAllowed(deviceId, devices)) {
      throw new ScanError('device-not-found', `The configuration does not name the SANE device "${deviceId}".`);
    }
    const helper = use(createHelper(log));
    await unlessAborted(found.letGo(deviceId), ended);
    const handle = createHandle(helper, deviceId, deadlines);
    // SANE can open some devices that it does not list.
    const asked = found.known(deviceId) ?? (await discovery.ask(handle, deviceId));
    await handle.ensure();
    found.answered(deviceId, true);
    const { device, type } = found.known(deviceId) ?? asked;
    const recallOfIt: AbilitiesRecall = recalls.get(deviceId) ?? new Map();
    recalls.set(deviceId, recallOfIt);
    return createSession({ device, type, handle, log, recall: recallOfIt, counters, onClose });
  }

  function explain(error: unknown, deviceId: string): ScanError {
    const meant = asScanError(error, found.known(deviceId)?.device.name ?? deviceId, false);
    if (codeOf(meant) === 'device-offline') found.answered(deviceId, false);
    return meant;
  }

  const driver = deviceDriver({
    id: 'sane',
    openings,
    log,
    list,
    recall,
    open,
    explain,
    complaint,
    leftOut: () => leftOut(discovery.skipped),
    probe: { createHelper, verb: 'close', deadlineMs: deadlines.option },
    watch: onChange =>
      watchUsb(() => {
        discovery.retry();
        found.lookAgain();
        onChange();
      }, usb),
  });
  return Object.assign(driver, { health: counters.health });
}

/** If no helper starts, or libsane is missing, no scanner can be used. */
function isMissing(error: unknown): error is HelperFailure {
  return error instanceof HelperFailure && error.isMissing;
}

/** Why a list lacks scanners. */
function leftOut(backends: readonly string[]): string | undefined {
  if (backends.length === 0) return undefined;
  const names = backends.map(name => `"${name}"`).join(', ');
  return `SANE's search leaves out ${names}, which crashed or hung. ${remedy}`;
}

function complaint(error: unknown): string {
  const words = messageOf(error);
  if (!isMissing(error)) return `SANE's scanners could not be listed: ${words}`;
  return `SANE's scanners cannot be used: ${words}${error.isExplained ? '' : `. ${repair}`}`;
}
