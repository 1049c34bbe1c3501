/** Lists the scanners, and opens each in a helper of its own. */
import { createOpenings } from '@platen/core/driver';
import { codeOf, ScanError, type Device, type Log } from '@platen/core/plugin';
import { deviceDriver, deviceList, withHelpers, type DeviceDriver, type Found, type Helper } from '@platen/driver-kit';
import { openScanner } from './device.js';
import { explain } from './errors.js';
import { openSession } from './session.js';

export interface DriverParts {
  readonly log: Log;
  createHelper(log: Log): Helper;
  /** A scanner that sends nothing for this long has failed. */
  readonly silenceMs: number;
}

/** Of calls that only ask, in milliseconds. */
const ANSWER_MS = 10_000;

export function createDriver({ log, createHelper, silenceMs }: DriverParts): DeviceDriver {
  const openings = createOpenings('Acme F100 scanners');
  const found = deviceList<Found>({ log, openings, restMs: 60_000 });

  async function* ask(helper: Helper): AsyncGenerator<Found> {
    const { header } = await helper.call('list', {}, { deadlineMs: ANSWER_MS });
    for (const { id, name } of header['devices'] as { id: string; name: string }[])
      yield found.learn({ device: deviceOf(id, name) });
  }

  return deviceDriver({
    id: 'acme-id',
    log,
    openings,
    probe: { createHelper, verb: 'ready', deadlineMs: ANSWER_MS },
    async *list(signal) {
      const look = () => {
        const helper = createHelper(log);
        return withHelpers([helper], signal, () => ask(helper));
      };
      for await (const { device } of found.list(signal, look)) yield device;
    },
    async open(id, { use, onClose }) {
      const scanner = await openScanner(use(createHelper(log)), id, { answerMs: ANSWER_MS, silenceMs });
      return openSession({ device: found.known(id)?.device ?? deviceOf(id, scanner.name), scanner, log, onClose });
    },
    explain(error, id) {
      const known = found.known(id)?.device;
      const meant = explain(error, known?.name ?? id);
      // It was listed before, so now it is switched off or unplugged.
      if (!known || codeOf(meant) !== 'device-not-found') return meant;
      return new ScanError('device-offline', meant.message, { cause: error });
    },
  });
}

/** Yours: what your scanners have. `perSheet`: it feeds a sheet when it is asked for it; `continuous`: it feeds on. */
function deviceOf(id: string, name: string): Device {
  const facets = { feeder: true, flatbed: true, duplex: true, feeding: 'perSheet' } as const;
  return { id, name, manufacturer: 'Acme', model: 'Acme F100', online: true, ...facets };
}
