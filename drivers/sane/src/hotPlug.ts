/** Tells when something was plugged into USB, or out of it: each bus is a folder with a file for each device. */
import { readdirSync, watch, type FSWatcher } from 'node:fs';
import { join } from 'node:path';

/** Where Linux has them; a container may have none, and then nothing is told. */
export const usbFolder = '/dev/bus/usb';

/** One device makes several changes: its file comes, and udev gives it its owner. */
const SETTLE_MS = 1_500;

/** Keeps no process alive. @returns what ends it; idempotent */
export function watchUsb(onChange: () => void, folder = usbFolder, settleMs = SETTLE_MS): () => void {
  const buses = new Map<string, FSWatcher>();
  let timer: NodeJS.Timeout | undefined;
  let ended = false;

  const changed = (): void => {
    if (ended) return;
    clearTimeout(timer);
    timer = setTimeout(settled, settleMs).unref();
  };

  function settled(): void {
    look();
    onChange();
  }

  /** Buses come and go with their controllers. */
  function look(): void {
    const there = ['', ...busesIn(folder)];
    for (const [bus, watcher] of buses) if (!there.includes(bus)) forget(bus, watcher);
    for (const bus of there) if (!buses.has(bus)) follow(bus);
  }

  function follow(bus: string): void {
    try {
      const watcher = watch(join(folder, bus), { persistent: false }, changed);
      buses.set(bus, watcher);
      watcher.on('error', () => forget(bus, watcher));
    } catch {
      // It is not there, or the system watches no more folders: core looks now and then anyway.
    }
  }

  function forget(bus: string, watcher: FSWatcher): void {
    watcher.close();
    if (buses.get(bus) === watcher) buses.delete(bus);
  }

  look();
  return () => {
    ended = true;
    clearTimeout(timer);
    for (const [bus, watcher] of buses) forget(bus, watcher);
  };
}

function busesIn(folder: string): string[] {
  try {
    return readdirSync(folder, { withFileTypes: true })
      .filter(each => each.isDirectory())
      .map(each => each.name);
  } catch {
    return [];
  }
}
