/** One scan: feeds sheet after sheet and scans their sides. */
import { assertPixels, delay, forever } from '@platen/core/driver';
import { unlessAborted, type PageFacts, type PageWork, type RawPage, type ScanOrder } from '@platen/core/plugin';
import { faultAt, faultError } from './faults.js';
import { areas, layOut, type Layout } from './layout.js';
import type { ScannerSettings } from './options.js';
import type { SheetStack, Sheet, Side } from './sheetStack.js';
import { render, type RenderOptions } from './render.js';
import { InvalidImage, type SheetImage } from './sheetImage.js';

/** How often a file that is being written is checked. */
const RETRY_MS = 50;

export interface ScanParts {
  readonly scanner: ScannerSettings;
  readonly sheets: SheetStack;
  readonly order: ScanOrder;
  /** Feed nothing more. */
  readonly stop: AbortSignal;
  /** Ends at once, with its reason. */
  readonly ended: AbortSignal;
}

/** A sheet whose sides were read; it has not moved yet. */
interface LoadedSheet {
  readonly sheet: Sheet;
  /** 1-based within the scan. */
  readonly number: number;
  /** When it was fed, as `performance.now` counts. */
  readonly began: number;
  readonly sides: readonly { side: Side; image: SheetImage | undefined; layout: Layout }[];
}

/** Yields each side when it is scanned. A sheet leaves the feeder when its first side is complete. */
export async function* scan(parts: ScanParts): AsyncGenerator<RawPage, void, undefined> {
  const { scanner, order, stop, ended } = parts;
  const maxSheets = order.source === 'flatbed' ? 1 : (order.sheets ?? Infinity);
  for (let number = 1; number <= maxSheets;) {
    ended.throwIfAborted();
    const next = await feed(parts);
    if (stop.aborted) return;
    if (!next && number > 1) return;
    if (!next) throw faultError('no-paper', number, scanner.name);
    const began = performance.now();
    const fault = faultAt(scanner.faults, number);
    if (fault === 'hang') await forever(ended);
    else if (fault === 'no-paper' && number > 1) return;
    else if (fault) throw faultError(fault, number, scanner.name);
    const sides = await readSides(next, parts);
    if (sides) yield* scanSheet({ sheet: next, number: number++, began, sides }, parts);
    // A file that vanished while it was read may be back soon.
    else await delay(RETRY_MS, ended);
  }
}

/** The next sheet, once its files are written; undefined when there is none. */
async function feed({ sheets, stop, ended }: ScanParts): Promise<Sheet | undefined> {
  for (;;) {
    if (stop.aborted) return undefined;
    const next = await sheets.next();
    if (next !== 'later') return next;
    await delay(RETRY_MS, ended);
  }
}

/** Reads the sides that the order asks for; undefined where a file is gone. */
async function readSides(sheet: Sheet, { order, scanner }: ScanParts): Promise<LoadedSheet['sides'] | undefined> {
  const wanted: Side[] = order.source === 'feeder' && order.duplexMode !== 'Simplex' ? ['front', 'back'] : ['front'];
  const images = new Map<Side, SheetImage>();
  const read = async (side: Side) => {
    const image = await sheet.image(side);
    if (typeof image === 'object') images.set(side, image);
    return image !== 'gone';
  };
  for (const side of wanted) if (!(await read(side))) return undefined;
  // A blank side has the size of the other one, which may not be scanned itself.
  const size = images.get('front') ?? images.get('back') ?? ((await read('back')) && images.get('back'));
  if (!size) return undefined;
  const sides = wanted.map(side => {
    const image = images.get(side);
    return { side, image, layout: layOut(image ?? size, order, order.source, areas[scanner.largest]) };
  });
  for (const {
    layout: { page },
  } of sides)
    assertPixels(page.width, page.height, order.maxPixels);
  return sides;
}

async function* scanSheet(
  loaded: LoadedSheet,
  { scanner, order, ended }: ScanParts,
): AsyncGenerator<RawPage, void, undefined> {
  let start = loaded.began;
  let inFeeder = true;
  for (const { side, image, layout } of loaded.sides) {
    const turned = side === 'back' && order.duplexMode === 'DuplexShortEdge';
    const { backing = scanner.backing, dropout = 'none' } = (order.driverOptions ?? {}) as Partial<RenderOptions>;
    const how = { colorMode: order.colorMode, backing, dropout, turned };
    const rendered = await unlessAborted(render(image, layout, how), ended).catch(async error => {
      throw error instanceof InvalidImage ? await loaded.sheet.refuse(side, error) : error;
    });
    await delay(scanner.msPerPage - (performance.now() - start), ended);
    if (inFeeder) await loaded.sheet.eject();
    inFeeder = false;
    start = performance.now(); // the back is scanned whether or not it is pulled
    const adjusted: PageWork[] = [...(turned ? (['turn'] as const) : []), ...(order.area ? (['area'] as const) : [])];
    const facts: Pick<PageFacts, 'sheet' | 'side' | 'dpi'> = { sheet: loaded.number, side, dpi: order.resolution };
    yield { kind: 'raw', ...facts, ...rendered, ...(adjusted.length > 0 && { adjusted }) };
    ended.throwIfAborted();
  }
}
