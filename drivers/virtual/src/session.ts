/** A session with a virtual scanner. */
import { asDriverError, deviceSession, type DeviceScan } from '@platen/core/driver';
import {
  ScanError,
  type Device,
  type Log,
  type RawPage,
  type ScanOrder,
  type Session,
  type Status,
} from '@platen/core/plugin';
import { capabilitiesOf, checkOrder } from './capabilities.js';
import { feedAhead } from './continuousFeed.js';
import type { ScannerSettings } from './options.js';
import { scan } from './scan.js';
import { sampleStack, trayStack, type SamplesFed, type SheetStack } from './sheetStack.js';
import type { Tray } from './tray.js';

/** How many sheets a continuous feeder is ahead of the one that was pulled. */
const SHEETS_AHEAD = 2;

export interface SessionParts {
  readonly scanner: ScannerSettings;
  readonly device: Device;
  readonly tray: Tray | undefined;
  readonly samplesFed: SamplesFed;
  readonly log: Log;
  onClose(): Promise<void>;
}

export function openSession({ scanner, device, tray, samplesFed, log, onClose }: SessionParts): Session {
  const watches = new Set<() => void>();
  let isClosed = false;

  async function* begin(order: ScanOrder, { stop, ended }: DeviceScan): AsyncGenerator<RawPage, void, undefined> {
    const { source, duplexMode } = order;
    checkOrder(scanner, order);
    const problem = await tray?.problem();
    if (problem !== undefined) throw new ScanError('device-offline', problem);
    const sheets = source === 'flatbed' ? await onFlatbed() : await inFeeder();
    const pages = scan({ scanner, sheets, order, stop, ended });
    const sides = duplexMode === 'Simplex' ? 1 : 2;
    yield* source === 'feeder' && scanner.feeding === 'continuous'
      ? feedAhead(pages, SHEETS_AHEAD, sides, ended)
      : pages;
  }

  async function inFeeder(): Promise<SheetStack> {
    const isLoaded = tray && (await tray.sheets()).length > 0;
    if (tray && (isLoaded || !scanner.samples)) return trayStack(tray, { consumed: true });
    return sampleStack(scanner.samples, samplesFed);
  }

  async function onFlatbed(): Promise<SheetStack> {
    const hasSheet = tray && !scanner.feeder && (await tray.sheets()).length > 0;
    return hasSheet ? trayStack(tray, { consumed: false }) : sampleStack(1);
  }

  async function paperState(): Promise<Status['paper']> {
    if (!scanner.feeder || !scanner.paperSensor) return 'unknown';
    return tray && (await tray.sheets()).length > 0 ? 'loaded' : 'empty';
  }

  async function status(): Promise<Status> {
    if ((await tray?.problem()) !== undefined) return { online: false, paper: 'unknown' };
    return { online: true, paper: await paperState() };
  }

  const capabilities = capabilitiesOf(scanner);
  return {
    ...deviceSession<RawPage>({
      device,
      log,
      explain: asDriverError,
      known: () => capabilities,
      capabilities: async () => capabilities,
      status,
      statusWhileScanning: status,
      scan: begin,
      async onClose() {
        isClosed = true;
        for (const end of watches) end();
        watches.clear();
        await onClose();
      },
    }),
    watch(onEvent) {
      if (!tray || isClosed) return () => {};
      const end = tray.watch(() => onEvent('paper'));
      watches.add(end);
      return () => {
        watches.delete(end);
        end();
      };
    },
  };
}
