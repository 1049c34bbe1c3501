/** The driver of the virtual scanners. */
import { randomUUID } from 'node:crypto';
import { ScanError, type Device, type Driver, type Log, type Session } from '@platen/core/plugin';
import type { Scanner } from './options.js';
import { openSession } from './session.js';
import { NoImage, readWhole } from './sheetImage.js';
import { trayAt, type Tray } from './tray.js';

/** A scanner's name is its device's id: both are unique. */
export function virtualDriver(scanners: readonly Scanner[], log: Log): Driver {
  const all = new Map(scanners.map(scanner => [scanner.name, withTray(scanner, log)]));
  const open = new Map<string, Session>();
  let closed = false;

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
    async open(deviceId, { signal }) {
      signal.throwIfAborted();
      const found = find(deviceId);
      if (closed) throw new ScanError('driver-failed', 'The driver of the virtual scanners was closed.');
      const device = await found.device();
      signal.throwIfAborted();
      if (open.has(deviceId)) throw new ScanError('busy', `"${deviceId}" is already open.`);
      const { scanner, tray } = found;
      const session = openSession({ scanner, tray, device, onClose: () => void open.delete(deviceId) });
      open.set(deviceId, session);
      return session;
    },
    async insert(deviceId, image) {
      const { scanner, tray } = find(deviceId);
      if (!tray || !scanner.feeder) throw new ScanError('unsupported', `"${deviceId}" has no feeder with a tray to put a sheet into.`);
      const problem = await tray.problem();
      if (problem !== undefined) throw new ScanError('device-offline', problem);
      try {
        const { extension } = await readWhole(image);
        if ((await tray.sheets()).length >= FEEDER_HOLDS) throw new ScanError('busy', `The feeder of "${deviceId}" is full: ${FEEDER_HOLDS} sheets wait in it. Scan them first.`);
        await tray.insert(image, insertedName(extension));
      } catch (error) {
        throw error instanceof NoImage ? new ScanError('unsupported', `What was inserted ${error.message}.`, { cause: error }) : error;
      }
    },
    async close() {
      closed = true;
      await Promise.all([...open.values()].map(session => session.close()));
    },
  };
}

/** Sheets, as a large document feeder does. More may lie in the folder; none is put on top of them. */
const FEEDER_HOLDS = 200;

let inserted = 0;

/** In name order, what was inserted later lies below; the rest keeps two services on one tray apart. */
function insertedName(extension: string): string {
  const time = new Date().toISOString().replace(/[:.]/g, '-');
  return `inserted-${time}-${String(++inserted).padStart(6, '0')}-${randomUUID().slice(0, 8)}.${extension}`;
}

/** Says once that a tray went bad, and once that it is well again. */
function withTray(scanner: Scanner, log: Log) {
  const tray: Tray | undefined =
    scanner.tray === undefined ? undefined : trayAt(scanner.tray, { create: scanner.createTray, owner: scanner.name, below: scanner.trayBelow });
  const { name, manufacturer, model, feeder, flatbed, duplex, feeding } = scanner;
  let warned = false;
  return {
    scanner,
    tray,
    async device(): Promise<Device> {
      const problem = await tray?.problem();
      const online = problem === undefined;
      if (!online && !warned) log.warn(problem);
      if (online && warned) log.info(`The tray of "${name}" is back.`);
      warned = !online;
      return { id: name, name, manufacturer, model, online, feeder, flatbed, duplex, feeding };
    },
  };
}
