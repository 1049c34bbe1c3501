/** An open virtual scanner. */
import { oneScan, ScanError, type Device, type Page, type ScanCall, type ScanOrder, type Session, type Status } from '@platen/core/plugin';
import { ahead } from './ahead.js';
import { capabilitiesOf, checkOrder } from './capabilities.js';
import type { Scanner } from './options.js';
import { sampleStack, trayPaper, type Paper } from './paper.js';
import { pass } from './pass.js';
import type { Tray } from './tray.js';

/** How many sheets a continuous feeder is ahead of the one that was pulled. */
const SHEETS_AHEAD = 2;

export interface SessionParts {
  readonly scanner: Scanner;
  readonly device: Device;
  readonly tray: Tray | undefined;
  /** Called once, when the session is closed. */
  onClose(): void;
}

export function openSession({ scanner, device, tray, onClose }: SessionParts): Session {
  const scans = oneScan<Page>(scanner.name);
  let closed = false;
  const watches = new Set<() => void>();

  async function* begin(order: ScanOrder, stop: AbortSignal, ended: AbortSignal, before: Promise<void> | undefined) {
    await before;
    ended.throwIfAborted();
    checkOrder(scanner, order);
    const problem = await tray?.problem();
    if (problem !== undefined) throw new ScanError('device-offline', problem);
    const source = order.source ?? (await chosenSource());
    const paper = source === 'flatbed' ? await onGlass() : await inFeeder(order);
    const pages = pass({ scanner, source, paper, order, stop, ended });
    const sides = order.duplexMode === 'Simplex' ? 1 : 2;
    yield* source === 'feeder' && scanner.feeding === 'continuous' ? ahead(pages, SHEETS_AHEAD, sides, ended) : pages;
  }

  async function chosenSource(): Promise<'feeder' | 'flatbed'> {
    if (!scanner.feeder) return 'flatbed';
    return scanner.flatbed && (await paperState()) === 'empty' ? 'flatbed' : 'feeder';
  }

  /** An on-demand scan asks for all there is; only such a one finds the samples. */
  async function inFeeder(order: ScanOrder): Promise<Paper> {
    const loaded = tray && (await tray.sheets()).length > 0;
    if (tray && (loaded || !scanner.samples)) return trayPaper(tray, { consumed: true });
    return sampleStack(order.sheets === undefined ? scanner.samples : 0);
  }

  async function onGlass(): Promise<Paper> {
    const laid = tray && !scanner.feeder && (await tray.sheets()).length > 0;
    return laid ? trayPaper(tray, { consumed: false }) : sampleStack(1);
  }

  async function paperState(): Promise<Status['paper']> {
    if (!scanner.feeder || !scanner.paperSensor) return 'unknown';
    return tray && (await tray.sheets()).length > 0 ? 'loaded' : 'empty';
  }

  return {
    device,
    async capabilities({ signal }) {
      signal.throwIfAborted();
      return capabilitiesOf(scanner);
    },
    async status({ signal }) {
      signal.throwIfAborted();
      if ((await tray?.problem()) !== undefined) return { online: false, paper: 'unknown' };
      return { online: true, paper: await paperState() };
    },
    watch(onEvent) {
      if (!tray || closed) return () => {};
      const end = tray.watch(() => onEvent('paper'));
      watches.add(end);
      return () => {
        watches.delete(end);
        end();
      };
    },
    scan(order: ScanOrder, { signal, stop }: ScanCall) {
      return scans.start(signal, (ended, before) => {
        if (closed) throw new ScanError('driver-failed', `"${scanner.name}" was closed.`);
        return begin(order, stop, ended, before);
      });
    },
    async close() {
      if (closed) return;
      closed = true;
      for (const end of watches) end();
      watches.clear();
      await scans.running?.end(new ScanError('cancelled', `"${scanner.name}" was closed while it scanned.`));
      onClose();
    },
  };
}
