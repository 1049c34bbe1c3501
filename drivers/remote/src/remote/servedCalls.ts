/** The verbs that the other end may call, and what each does with the driver. */
import { countOf, ScanError, textOf, type Driver, type Fields } from '@platen/core/plugin';
import type { ServedSessions } from './servedSessions.js';

/** The fields of its answer. */
export type ServedCall = (signal: AbortSignal) => Promise<object | void>;

/** @throws TypeError where the fields are not what the verb takes; what the driver does comes after */
export type ServedVerb = (fields: Fields, id: number) => ServedCall;

export function servedVerbs(driver: Driver, sessions: ServedSessions): ReadonlyMap<string, ServedVerb> {
  const verbs: Readonly<Record<string, ServedVerb>> = {
    ping: () => async () => undefined,
    open(fields, id) {
      const device = textOf(fields, 'device');
      return signal => sessions.open(id, device, signal);
    },
    capabilities(fields, id) {
      const its = sessionOf(fields, id);
      return async signal => ({ capabilities: await sessions.get(its).capabilities({ signal }) });
    },
    status(fields, id) {
      const its = sessionOf(fields, id);
      return async signal => ({ status: await sessions.get(its).status({ signal }) });
    },
    close(fields, id) {
      const its = sessionOf(fields, id);
      return () => sessions.close(its);
    },
    'close-all': () => () => sessions.closeAll(),
  };
  return new Map(Object.entries(verbs));
}

export function sessionOf(fields: Fields, id: number): number {
  return countOf(fields, 'session', 1, id - 1);
}

/** @throws `unsupported` where the driver has no such facet */
export async function insertInto(driver: Driver, device: string, image: Uint8Array): Promise<void> {
  if (!driver.insert) throw new ScanError('unsupported', `The driver ${driver.id} does not put sheets into feeders.`);
  await driver.insert(device, image);
}
