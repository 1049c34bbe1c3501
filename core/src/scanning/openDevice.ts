/** Opens a known scanner by its current driver and id. */
import type { Call, Session } from '../contract/driver.js';
import { codeOf } from '../contract/errors.js';
import type { Devices, KnownDevice } from '../devices/devices.js';
import type { Clock } from '../time/clock.js';
import { callWithin } from '../time/deadline.js';

const OPEN_DEADLINE_MS = 30_000;

export interface OpenDevice {
  readonly known: KnownDevice;
  readonly session: Session;
}

export interface OpenParts {
  readonly devices: Pick<Devices, 'again'>;
  readonly clock: Clock;
}

/**
 * Known scanners are not discovered again for each scan. A replugged scanner may have a new id: if the driver does not
 * find the scanner, it is discovered once more.
 * @throws the driver's error from the first attempt; `timeout`
 */
export async function openDevice(known: KnownDevice, call: Call, parts: OpenParts): Promise<OpenDevice> {
  try {
    return await open(known, call, parts.clock);
  } catch (error) {
    const code = codeOf(error);
    if (call.signal.aborted || (code !== 'device-not-found' && code !== 'device-offline')) throw error;
    const now = await parts.devices.again(known);
    if (!now || isSame(now, known) || call.signal.aborted) throw error;
    return open(now, call, parts.clock);
  }
}

async function open(known: KnownDevice, call: Call, clock: Clock): Promise<OpenDevice> {
  let opening: Promise<Session> | undefined;
  try {
    const session = await callWithin(
      clock,
      OPEN_DEADLINE_MS,
      `opening ${known.name}`,
      own => (opening = known.driver.open(known.device.id, own)),
      call.signal,
    );
    return { known, session };
  } catch (error) {
    // A session that arrives after the caller gave up is closed at once to free the device.
    void opening?.then(late => late.close()).catch(() => undefined);
    throw error;
  }
}

/** Whether two names refer to the same device. */
export function isSame(a: KnownDevice, b: KnownDevice): boolean {
  return a.driver === b.driver && a.device.id === b.device.id;
}
