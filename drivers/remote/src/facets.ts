/** Facets that a driver may lack or that may fail, for callers on behalf of another program. */
import { messageOf, ScanError, type Driver, type Log } from '@platen/core/plugin';

/** @returns a function that ends the watch; undefined if the driver has no `watch`, or it failed, which is logged */
export function watchDriver(driver: Driver, onChange: () => void, log: Log): (() => void) | undefined {
  try {
    return driver.watch?.(onChange);
  } catch (error) {
    log.warn(`The driver ${driver.id} could not watch for scanners: ${messageOf(error)}`);
    return undefined;
  }
}

/** @throws `unsupported` if the driver has no `insert` */
export async function insertInto(driver: Driver, deviceId: string, image: Uint8Array): Promise<void> {
  if (!driver.insert) throw new ScanError('unsupported', `The driver ${driver.id} does not put sheets into feeders.`);
  await driver.insert(deviceId, image);
}
