/** Watches USB for devices that come or go: each bus is a folder with one file per device. */
import { readdirSync, watch, type FSWatcher } from 'node:fs';
import { join } from 'node:path';

/** Linux's folder of buses; a container may lack it, and then nothing is reported. */
export const usbFolder = '/dev/bus/usb';

/** One device causes several changes: its file appears, then udev sets its owner. */
const SETTLE_MS = 1_500;

/** Does not keep the process alive. @returns an idempotent function that ends it */
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

  /** Buses appear and disappear with their controllers. */
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
      // The folder is missing, or the system's watch limit is reached: core lists periodically anyway.
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
