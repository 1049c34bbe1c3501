/** One scan of the fake driver, from the first sheet that is fed to the last page. */
import type { HardwareControl, ScanControls } from '@platen/core/driver';
import {
  type Adjustment,
  type ColorMode,
  type EncodedPage,
  type Page,
  pixelsAt,
  type PageFacts,
  type PageWork,
  type Pixels,
  type ScanCall,
  ScanError,
  type ScanOrder,
  unlessAborted,
} from '@platen/core/plugin';
import { pageControls } from '@platen/core/wire';
import type { FakeFault, FakeScanner } from './fakeScanner.js';
import { fakeSheet } from './fakeSheet.js';
import type { TestPageWishes } from './testPages.js';

export interface FakePages {
  /** What every page is, whatever was asked for; 64 by 48 pixels when absent. */
  readonly page?: Pick<TestPageWishes, 'width' | 'height' | 'dpi' | 'pixels' | 'padding'>;
  /** Delivers this file as each page. */
  readonly encoded?: Pick<EncodedPage, 'mimeType' | 'data' | 'width' | 'height' | 'pixels'>;
  /** What the hardware does itself when it is asked to. */
  readonly adjusts?: readonly Adjustment[];
  /** Controls that the hardware does, of pages that are not `encoded`; `sheets` it always does. None when absent. */
  readonly controls?: readonly HardwareControl[];
}

export interface FakeScan {
  readonly scanner: FakeScanner;
  readonly pages: FakePages;
  readonly order: ScanOrder;
  readonly call: ScanCall;
  /** Never reacts to `stop` or `signal`. */
  readonly deaf: boolean;
  /** Counts a sheet that left the feeder. */
  onFed(): void;
}

interface FedSheet {
  readonly sheet: number;
  readonly fault: FakeFault | undefined;
}

const pixelsOf: Readonly<Record<ColorMode, Pixels>> = { Color: 'rgb24', Grayscale: 'gray8', BlackAndWhite: 'bw1' };

export async function* fakeScan(scan: FakeScan): AsyncGenerator<Page, void, undefined> {
  const { scanner, order, call } = scan;
  const signal = scan.deaf ? new AbortController().signal : call.signal;
  signal.throwIfAborted();
  refuseLargePages(scan);
  if (order.source === 'flatbed') {
    if (call.stop.aborted) return;
    await leavePath(scan, signal, scanner.faults.get(1));
    yield pageOf(scan, 1, 'front');
    return;
  }
  const duplex = order.duplexMode !== 'Simplex' && scanner.device.duplex;
  const path = paperPath(scan);
  for (;;) {
    signal.throwIfAborted();
    const fed = path.next();
    if (!fed) return;
    await leavePath(scan, signal, fed.fault);
    yield pageOf(scan, fed.sheet, 'front');
    if (!duplex) continue;
    signal.throwIfAborted();
    yield pageOf(scan, fed.sheet, 'back');
  }
}

/** The paper's way: a `continuous` scanner has one more sheet in it than was pulled. */
function paperPath({ scanner, order, call, deaf, onFed }: FakeScan): { next(): FedSheet | undefined } {
  const depth = scanner.device.feeding === 'continuous' ? 2 : 1;
  const path: FedSheet[] = [];
  let sheet = 0;
  const mayFeed = () => scanner.tray > 0 && sheet < (order.sheets ?? Infinity) && (deaf || !call.stop.aborted);
  return {
    next() {
      if (sheet === 0 && scanner.tray === 0)
        throw new ScanError('no-paper', `the feeder of ${scanner.device.name} is empty`);
      while (path.length < depth && mayFeed()) {
        sheet++;
        scanner.tray--;
        path.push({ sheet, fault: scanner.faults.get(sheet) });
        onFed();
      }
      return path.shift();
    },
  };
}

async function leavePath({ scanner }: FakeScan, signal: AbortSignal, fault: FakeFault | undefined): Promise<void> {
  await unlessAborted(new Promise<void>(setImmediate), signal);
  signal.throwIfAborted();
  await unlessAborted(scanner.gate, signal);
  if (fault === 'hang') await unlessAborted(new Promise<never>(() => {}), signal);
  else if (fault === 'torn')
    throw new ScanError('driver-failed', `${scanner.device.name} delivered a page without its end`);
  else if (fault) throw new ScanError(fault, `${scanner.device.name} was told to fail with ${fault}`);
}

function sizeOf({ pages, order: { area, resolution } }: FakeScan): { width: number; height: number } {
  if (area && pages.controls?.includes('area')) {
    const dpi = pages.page?.dpi ?? resolution;
    return { width: pixelsAt(dpi, area.width), height: pixelsAt(dpi, area.height) };
  }
  const { width = 64, height = 48 } = pages.encoded ?? pages.page ?? {};
  return { width, height };
}

function refuseLargePages(scan: FakeScan): void {
  const { width, height } = sizeOf(scan);
  if (width * height <= scan.order.maxPixels) return;
  throw new ScanError('unsupported', `a page of ${width} by ${height} pixels is more than ${scan.order.maxPixels}`);
}

function pageOf(scan: FakeScan, sheet: number, side: 'front' | 'back'): Page {
  const { pages, order } = scan;
  const { dpi = order.resolution, pixels = pixelsOf[order.colorMode], padding = 0 } = pages.page ?? {};
  const controlled = pageControls.filter(each => pages.controls?.includes(each) && order[each] !== undefined);
  const done: PageWork[] = [
    ...(pages.adjusts ?? []).filter(each => order.adjustments.includes(each) && (each !== 'turn' || side === 'back')),
    ...controlled,
  ];
  const adjusted = done.length > 0 ? { adjusted: done } : {};
  const { encoded } = pages;
  if (encoded) {
    const facts: PageFacts = {
      sheet,
      side,
      dpi,
      ...adjusted,
      width: encoded.width,
      height: encoded.height,
      pixels: encoded.pixels,
    };
    return { ...facts, kind: 'encoded', mimeType: encoded.mimeType, data: Uint8Array.from(encoded.data) };
  }
  const asked = Object.fromEntries(controlled.map(each => [each, order[each]])) as ScanControls;
  return { ...fakeSheet({ ...sizeOf(scan), dpi, pixels, padding, sheet, side }, asked), ...adjusted };
}
