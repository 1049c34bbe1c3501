/** Several drivers as one: the device `flat-1` of the driver `sane` is its `sane/flat-1`. */
import { messageOf, ScanError, type Device, type Driver, type Log } from '@platen/core/plugin';
import { wrapSession } from '@platen/core/wire';
import { insertInto, watchDriver } from '../facets.js';
import { sideBySide } from './sideBySide.js';

/**
 * `devices` lists them side by side. Of a driver that fails, the devices of its last listing stay listed, and the reason
 * is logged; if all fail, the first failure is thrown at the end. `watch` is present if one driver has it, `insert`
 * while one has it; `insert` is `unsupported` for a device whose driver lacks it. There is no `link`.
 * @throws Error if two drivers have the same id
 */
export function mergeDrivers(id: string, drivers: readonly Driver[], log: Log): Driver {
  const parts = new Map(drivers.map(driver => [prefixOf(driver), { driver, known: [] as readonly Device[] }]));
  if (parts.size < drivers.length) throw new Error(`two drivers of ${id} have the same id`);

  function route(deviceId: string): {
    readonly driver: Driver;
    readonly deviceId: string;
    named(device: Device): Device;
  } {
    const prefix = deviceId.slice(0, deviceId.indexOf('/') + 1);
    const part = parts.get(prefix);
    if (!part)
      throw new ScanError(
        'device-not-found',
        `There is no scanner ${JSON.stringify(deviceId)}: none of the drivers ${drivers.map(each => each.id).join(', ')} has it.`,
      );
    return { driver: part.driver, deviceId: deviceId.slice(prefix.length), named: device => named(prefix, device) };
  }

  async function insert(deviceId: string, image: Uint8Array): Promise<void> {
    const its = route(deviceId);
    await insertInto(its.driver, its.deviceId, image);
  }

  const merged: Driver = {
    id,
    async *devices({ signal }) {
      const failures: unknown[] = [];
      const listings = [...parts].map(
        ([prefix, part]) =>
          async function* (ended: AbortSignal): AsyncGenerator<Device> {
            const found: Device[] = [];
            try {
              for await (const device of part.driver.devices({ signal: ended })) {
                const its = named(prefix, device);
                found.push(its);
                yield its;
              }
              part.known = found;
            } catch (error) {
              if (ended.aborted) throw error;
              failures.push(error);
              if (drivers.length > 1)
                log.warn(`The driver ${part.driver.id} could not list all of its scanners: ${messageOf(error)}`);
              yield* part.known.filter(known => !found.some(device => device.id === known.id));
            }
          },
      );
      yield* sideBySide(listings, signal);
      if (failures.length > 0 && failures.length === drivers.length) throw failures[0];
    },
    async open(deviceId, call) {
      const its = route(deviceId);
      const session = await its.driver.open(its.deviceId, call);
      return wrapSession(session, {
        get device() {
          return its.named(session.device);
        },
      });
    },
    ...(drivers.some(driver => driver.watch) && {
      watch(onChange: () => void) {
        const ends = drivers.map(driver => watchDriver(driver, onChange, log));
        return () => ends.forEach(end => end?.());
      },
    }),
    async close() {
      const closed = await Promise.allSettled(drivers.map(async driver => driver.close()));
      const failed = closed.find(each => each.status === 'rejected');
      if (failed) throw failed.reason;
    },
  };
  // It comes and goes with remote drivers.
  return Object.defineProperty(merged, 'insert', {
    enumerable: true,
    get: () => (drivers.some(driver => driver.insert) ? insert : undefined),
  });
}

/** Ends with the first slash of a merged id: a slash in the id of a driver is encoded. */
function prefixOf({ id }: Driver): string {
  return `${id.replace(/[%/]/g, encodeURIComponent)}/`;
}

function named(prefix: string, device: Device): Device {
  return { ...device, id: `${prefix}${device.id}` };
}
