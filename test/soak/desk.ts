/** One who scans: what jobs have in common. */
import { setTimeout as pause } from 'node:timers/promises';
import { fileOf, type Image, type ScanJson } from '../spec/calls.js';
import { pagePath, type PageJson, type ScanResource } from '../spec/scanCalls.js';
import { sheets, type Ink } from '../topology/sheets.js';
import type { Caller, PageFacts } from './caller.js';
import type { House, Scanner } from './house.js';
import type { Random } from './random.js';

export interface Desk {
  readonly caller: Caller;
  readonly house: House;
  readonly random: Random;
  /** Scans that are left for later, the oldest first. */
  readonly kept: string[];
}

export type KeptPage = PageJson & PageFacts;
export type KeptScan = Omit<ScanResource, 'pages'> & { readonly pages: readonly KeptPage[] };

const DPI = [75, 75, 100, 100, 150, 200, 300];

/** Wishes that every scanner here can follow. */
export function wishes({ random }: Desk, { duplex }: Scanner, sheetCount: number): Record<string, unknown> {
  const { pick, chance, whole } = random;
  const resolution = pick(DPI);
  return {
    resolution,
    colorMode: pick(['Color', 'Grayscale', 'BlackAndWhite']),
    // PNG of large pages takes a second each: seldom.
    imageFormat: pick(resolution < 300 ? ['Jpeg', 'Png', 'Tiff', 'Bmp'] : ['Jpeg', 'Jpeg', 'Tiff']),
    pageSize: pick(['A4', 'Letter', 'A5']),
    sheets: sheetCount,
    ...(duplex && chance(0.5) ? { duplexMode: pick(['DuplexLongEdge', 'DuplexShortEdge']) } : {}),
    ...(chance(0.3) ? { jpegQuality: 40 + whole(60) } : {}),
    ...(chance(0.3) ? { barcodeReadingEnabled: true, barcodeFormats: pick([[], ['QrCode', 'Code128']]) } : {}),
    ...(chance(0.3) ? { autoDeskew: true } : {}),
    ...(chance(0.15) ? { autoCrop: true } : {}),
    ...(chance(0.15) ? { autoRotate: true } : {}),
    ...(chance(0.2) ? { blankPages: 'flag' } : {}),
    ...(chance(0.2) ? { report: true } : {}),
    ...(chance(0.2) ? { brightness: whole(60) - 30, contrast: whole(60) - 30 } : {}),
  };
}

export const ink = (random: Random): Ink => random.whole(8) as Ink;

/** A scanner with paper, and a request for it. */
export async function chosen(desk: Desk): Promise<{ scannerName: string; parameters: Record<string, unknown> }> {
  const { house, random } = desk;
  const scanner = random.pick(house.scanners);
  const count = 1 + random.whole(3);
  await scanner.insert(sheets(...Array.from({ length: count }, () => ink(random))));
  return { scannerName: scanner.name, parameters: wishes(desk, scanner, count) };
}

export async function begin({ caller }: Desk, body: object, headers = {}, wanted = [201]): Promise<KeptScan> {
  return (await caller.call('POST', '/api/scans', wanted, { body, headers })).json as KeptScan;
}

export const found = async ({ caller }: Desk, id: string): Promise<KeptScan> =>
  (await caller.call('GET', `/api/scans/${id}`, [200])).json as KeptScan;

export async function over(desk: Desk, id: string): Promise<KeptScan> {
  for (;;) {
    const scan = await found(desk, id);
    if (scan.state !== 'running') return scan;
    await pause(40);
  }
}

export const away = ({ caller }: Desk, id: string) => caller.call('DELETE', `/api/scans/${id}`, [200]);

export async function fetchPage({ caller }: Desk, id: string, page: KeptPage): Promise<void> {
  const { bytes } = await caller.call('GET', `${pagePath(id, page.number)}?wait=30`, [200]);
  await caller.page(bytes, page);
}

export function completed({ caller }: Desk, scan: KeptScan): void {
  caller.expect(
    scan.state === 'completed' && scan.pages.length > 0,
    () => `a scan on ${scan.scannerName} is ${scan.state} with ${scan.pages.length} pages: ${scan.error ?? ''}`,
  );
}

export const imageFacts = (image: Image): PageFacts => ({ ...image, bytes: image.fileSizeBytes });

export async function holdImages({ caller }: Desk, { images, ...result }: ScanJson): Promise<void> {
  caller.expect(result.success && images.length > 0, () => `a scan has no images: ${result.error ?? result.message}`);
  for (const image of images) await caller.page(fileOf(image), imageFacts(image));
}

/** Until nothing runs; scans that nobody will ask for are deleted. */
export async function idle(desk: Desk): Promise<void> {
  for (;;) {
    const { json } = await desk.caller.call('GET', '/api/scans', [200]);
    const { scans } = json as { scans: readonly ScanResource[] };
    const running = scans.filter(({ state }) => state === 'running');
    const unasked = scans.filter(({ id }) => !desk.kept.includes(id));
    // 409: the answer of a call that was left is still being sent.
    if (running.length === 0)
      for (const { id } of unasked) await desk.caller.call('DELETE', `/api/scans/${id}`, [200, 409]);
    if (unasked.length === 0) {
      // A call without a scan resource, or a scanner that is still closing.
      const { status } = await desk.caller.call('POST', '/api/twain/cancel', [200], { body: {} });
      if (status === 200 && (await isFree(desk))) return;
    }
    await pause(50);
  }
}

/** Whether a scan may begin: the last one may still be at its sheet. */
export async function isFree({ caller, house }: Desk): Promise<boolean> {
  const body = { scannerName: house.empty, parameters: { resolution: 75 } };
  const { status } = await caller.call('POST', '/api/twain/scan', [500, 409], { body });
  return status === 500;
}

export async function takeOldest(desk: Desk): Promise<void> {
  const id = desk.kept.shift();
  if (id === undefined) return;
  for (const page of (await found(desk, id)).pages) await fetchPage(desk, id, page);
  await away(desk, id);
}
