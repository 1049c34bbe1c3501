/** Lists the scanners and opens them. */
import { createOpenings } from '@platen/core/driver';
import { ScanError, type Device, type Driver, type Log } from '@platen/core/plugin';
import { connect } from './device.js';
import { openSession } from './session.js';

/** @param addresses of the scanners; each is the id of its device */
export function createDriver(addresses: readonly string[], log: Log): Driver {
  const openings = createOpenings('Acme F100 scanners');
  /** The last answer of each scanner: one that is switched off stays listed, as offline. */
  const known = new Map<string, Device>();

  async function ask(address: string, signal: AbortSignal): Promise<Device> {
    try {
      const { maker, model, serial } = await connect(address).facts(signal);
      const device: Device = {
        id: address,
        name: `${model} ${serial}`,
        manufacturer: maker,
        model,
        online: true,
        // Yours: what your device has. `perSheet`: it feeds a sheet when it is asked for it; `continuous`: it feeds on.
        feeder: true,
        flatbed: true,
        duplex: true,
        feeding: 'perSheet',
      };
      known.set(address, device);
      return device;
    } catch {
      signal.throwIfAborted();
      return { ...(known.get(address) ?? unseen(address)), online: false };
    }
  }

  return {
    id: 'acme-id',
    // Yours: the scanners that your SDK finds. A listing must end.
    async *devices({ signal }) {
      signal.throwIfAborted();
      yield* await Promise.all(addresses.map(address => ask(address, signal)));
    },
    open: (id, call) =>
      openings.open(id, call, async ({ ended, onClose }) => {
        if (!addresses.includes(id)) throw new ScanError('device-not-found', `There is no Acme F100 at ${id}.`);
        const device = await ask(id, ended);
        if (!device.online) throw new ScanError('device-offline', `"${device.name}" cannot be reached at ${id}.`);
        return openSession({ device, client: connect(id), log, onClose });
      }),
    close: openings.close,
  };
}

/** A scanner that has not answered yet. */
function unseen(address: string): Device {
  const name = `Acme F100 at ${new URL(address).host}`;
  const facets = { feeder: true, flatbed: true, duplex: true, feeding: 'perSheet' } as const;
  return { id: address, name, manufacturer: 'Acme', model: 'Acme F100', online: false, ...facets };
}
