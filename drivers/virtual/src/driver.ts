/** The driver of the virtual scanners. */
import { randomUUID } from 'node:crypto';
import { createOpenings, forever } from '@platen/core/driver';
import { ScanError, type Device, type Driver, type Log } from '@platen/core/plugin';
import { firstHangs } from './faults.js';
import type { ScannerSettings } from './options.js';
import { openSession } from './session.js';
import { InvalidImage, readWhole } from './sheetImage.js';
import { trayAt, type Tray } from './tray.js';

/** The name of a scanner is its device id: names are unique. */
export function virtualDriver(scanners: readonly ScannerSettings[], log: Log): Driver {
  const all = new Map(scanners.map(scanner => [scanner.name, withTray(scanner, log)]));
  const openings = createOpenings('virtual scanners');

  function find(id: string) {
    const found = all.get(id);
    if (!found) throw new ScanError('device-not-found', `There is no virtual scanner "${id}".`);
    return found;
  }

  return {
    id: 'virtual',
    async *devices({ signal }) {
      for (const each of all.values()) {
        signal.throwIfAborted();
        yield await each.device();
      }
    },
    async open(deviceId, call) {
      call.signal.throwIfAborted();
      const { scanner, tray, samplesFed, device, hangsNow } = find(deviceId);
      return openings.open(deviceId, call, async ({ ended, use, onClose }) => {
        if (hangsNow('open')) await forever(ended);
        use({ close: () => (hangsNow('close') ? forever(new AbortController().signal) : undefined) });
        return openSession({ scanner, tray, samplesFed, log, onClose, device: await device() });
      });
    },
    async insert(deviceId, image) {
      const { scanner, tray } = find(deviceId);
      if (!tray || !scanner.feeder)
        throw new ScanError('unsupported', `"${deviceId}" has no feeder with a tray to insert a sheet into.`);
      const problem = await tray.problem();
      if (problem !== undefined) throw new ScanError('device-offline', problem);
      try {
        const { extension } = await readWhole(image);
        if ((await tray.sheets()).length >= FEEDER_HOLDS)
          throw new ScanError(
            'busy',
            `The feeder of "${deviceId}" is full: it holds ${FEEDER_HOLDS} sheets. Scan them first.`,
          );
        await tray.insert(image, insertedName(extension));
      } catch (error) {
        throw error instanceof InvalidImage
          ? new ScanError('unsupported', `The inserted file ${error.message}.`, { cause: error })
          : error;
      }
    },
    close: openings.close,
  };
}

/** Sheets, as in a large document feeder. The folder may hold more; nothing is inserted then. */
const FEEDER_HOLDS = 200;

let inserted = 0;

/** Unique also for two services on one tray. The feeder takes files in name order, so a later sheet comes later. */
function insertedName(extension: string): string {
  const time = new Date().toISOString().replace(/[:.]/g, '-');
  return `inserted-${time}-${String(++inserted).padStart(6, '0')}-${randomUUID().slice(0, 8)}.${extension}`;
}

/** A scanner with its tray. Logs once when the tray fails, and once when it works again. */
function withTray(scanner: ScannerSettings, log: Log) {
  const tray: Tray | undefined =
    scanner.tray === undefined
      ? undefined
      : trayAt(scanner.tray, { create: scanner.createTray, owner: scanner.name, below: scanner.trayBelow });
  const { name, manufacturer, model, feeder, flatbed, duplex, feeding } = scanner;
  let hasWarned = false;
  return {
    scanner,
    tray,
    samplesFed: { count: 0 },
    hangsNow: firstHangs(scanner.faults),
    async device(): Promise<Device> {
      const problem = await tray?.problem();
      const online = problem === undefined;
      if (!online && !hasWarned) log.warn(problem);
      if (online && hasWarned) log.info(`The tray of "${name}" works again.`);
      hasWarned = !online;
      return { id: name, name, manufacturer, model, online, feeder, flatbed, duplex, feeding };
    },
  };
}
