/** The driver for macOS's scanners. */
import { createOpenings } from '@platen/core/driver';
import { codeOf, messageOf, ScanError } from '@platen/core/plugin';
import type { Opening } from '@platen/core/driver';
import type { Log, Session } from '@platen/core/plugin';
import { deviceDriver, deviceList, type DeviceDriver, type Helper, HelperFailure } from '@platen/driver-kit';
import { askCapabilities } from './capabilities.js';
import { createDiscovery, type IcaFound } from './discovery.js';
import { createHandle } from './device/handle.js';
import { repair } from './helper.js';
import { createSession } from './session.js';
import { deadlines as usual, type Deadlines, type IcaOptions } from './settings.js';
import { asScanError } from './statuses.js';

/** A scanner that could not be asked is not asked again for this long, ms. */
const REST_MS = 60_000;

export interface DriverParts {
  readonly options: IcaOptions;
  readonly log: Log;
  /** Starts a helper; each open scanner has its own, and one browses. */
  createHelper(log: Log): Helper;
  readonly deadlines?: Partial<Deadlines>;
}

export function icaDriver({ options, log, createHelper, deadlines: own }: DriverParts): DeviceDriver {
  const { network, transfer } = options;
  const deadlines: Deadlines = { ...usual, scan: options.silenceSeconds * 1000, ...own };
  const openings = createOpenings("this Mac's scanners");
  const found = deviceList<IcaFound>({ log, openings, restMs: REST_MS });
  const discovery = createDiscovery({ found, createHelper, log, deadlines, network, transfer });

  async function open(deviceId: string, { use, onClose }: Opening): Promise<Session> {
    const helper = use(createHelper(log));
    await found.letGo(deviceId);
    const handle = createHandle({ helper, device: deviceId, network, deadlines });
    await handle.ensure();
    const known = found.known(deviceId);
    const capabilities = known?.capabilities ?? (await askCapabilities(handle, deviceId, transfer));
    const { device } = known ?? discovery.learn(deviceId, capabilities, handle.name);
    return createSession({ device, handle, transfer, log, capabilities, onClose });
  }

  function explain(error: unknown, deviceId: string): ScanError {
    const name = found.known(deviceId)?.device.name;
    const meant = asScanError(error, name ?? deviceId);
    if (name === undefined || codeOf(meant) !== 'device-not-found') return meant;
    // It was listed before, so it is now switched off or unplugged.
    return new ScanError('device-offline', meant.message, { cause: error });
  }

  return deviceDriver({
    id: 'ica-macos',
    openings,
    log,
    open,
    explain,
    complaint,
    list: discovery.list,
    probe: { createHelper, verb: 'quiet', deadlineMs: deadlines.describe },
    watch: discovery.watch,
    onClose: discovery.close,
  });
}

function complaint(error: unknown): string {
  const words = messageOf(error);
  return `The scanners of this Mac cannot be used: ${words}${error instanceof HelperFailure && error.isExplained ? '' : `. ${repair}`}`;
}
