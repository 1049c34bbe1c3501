/** The paper's way through the scanner: feeds sheet after sheet and scans their sides. */
import { delay, forever, ScanError, unlessAborted, type PageFacts, type RawPage, type ScanOrder, type Source } from '@platen/core/plugin';
import { faultAt, faultError } from './faults.js';
import { layOut, type Layout } from './layout.js';
import type { Scanner } from './options.js';
import type { Paper, Sheet, Side } from './paper.js';
import { render } from './render.js';
import { NoImage, type SheetImage } from './sheetImage.js';

/** How often a file that is being written is looked at again. */
const LOOK_AGAIN_MS = 50;

export interface Pass {
  readonly scanner: Scanner;
  readonly source: Source;
  readonly paper: Paper;
  readonly order: ScanOrder;
  /** Feed nothing more. */
  readonly stop: AbortSignal;
  /** Ends at once, with its reason. */
  readonly ended: AbortSignal;
}

/** A sheet whose sides were looked at; nothing of it has moved yet. */
interface Loaded {
  readonly sheet: Sheet;
  /** 1-based within the scan. */
  readonly number: number;
  /** When it was fed, as `performance.now` counts. */
  readonly began: number;
  readonly sides: readonly { side: Side; image: SheetImage | undefined; layout: Layout }[];
}

/** Yields each side when it has been scanned. A sheet leaves the feeder when its first side is whole. */
export async function* pass(context: Pass): AsyncGenerator<RawPage, void, undefined> {
  const { scanner, source, order, stop, ended } = context;
  const most = source === 'flatbed' ? 1 : (order.sheets ?? Infinity);
  for (let number = 1; number <= most; ) {
    ended.throwIfAborted();
    const next = await feed(context);
    if (stop.aborted) return;
    if (!next && number > 1) return;
    if (!next) throw faultError('no-paper', number, scanner.name);
    const began = performance.now();
    const fault = faultAt(scanner.faults, number);
    if (fault === 'hang') await forever(ended);
    else if (fault === 'no-paper' && number > 1) return;
    else if (fault) throw faultError(fault, number, scanner.name);
    const sides = await look(next, context);
    if (sides) yield* scanSheet({ sheet: next, number: number++, began, sides }, context);
    // What is gone in the moment of reading may be there again: a file that stays so costs a look now and then.
    else await delay(LOOK_AGAIN_MS, ended);
  }
}

/** Waits while the next sheet's files are being written. */
async function feed({ paper, stop, ended }: Pass): Promise<Sheet | undefined> {
  for (;;) {
    if (stop.aborted) return undefined;
    const next = await paper.next();
    if (next !== 'later') return next;
    await delay(LOOK_AGAIN_MS, ended);
  }
}

/** Reads what is wanted of a sheet; undefined where it is not there any more. */
async function look(sheet: Sheet, { order, source }: Pass): Promise<Loaded['sides'] | undefined> {
  const wanted: Side[] = source === 'feeder' && order.duplexMode !== 'Simplex' ? ['front', 'back'] : ['front'];
  const images = new Map<Side, SheetImage>();
  const read = async (side: Side) => {
    const image = await sheet.image(side);
    if (typeof image === 'object') images.set(side, image);
    return image !== 'gone';
  };
  for (const side of wanted) if (!(await read(side))) return undefined;
  // A blank side is as large as the other one, which may not be wanted itself.
  const size = images.get('front') ?? images.get('back') ?? ((await read('back')) && images.get('back'));
  if (!size) return undefined;
  const sides = wanted.map(side => {
    const image = images.get(side);
    return { side, image, layout: layOut(image ?? size, order, source) };
  });
  for (const { layout } of sides) checkPixels(layout, order);
  return sides;
}

function checkPixels({ page }: Layout, { maxPixels, resolution }: ScanOrder): void {
  const pixels = page.width * page.height;
  if (pixels <= maxPixels) return;
  const size = `${page.width} x ${page.height} = ${pixels} pixels`;
  throw new ScanError('unsupported', `At ${resolution} dpi the page has ${size}, more than the ${maxPixels} allowed.`);
}

async function* scanSheet(loaded: Loaded, { scanner, order, ended }: Pass): AsyncGenerator<RawPage, void, undefined> {
  let start = loaded.began;
  let inFeeder = true;
  for (const { side, image, layout } of loaded.sides) {
    const turned = side === 'back' && order.duplexMode === 'DuplexShortEdge';
    const how = { colorMode: order.colorMode, backing: scanner.backing, turned };
    const rendered = await unlessAborted(render(image, layout, how), ended).catch(async error => {
      throw error instanceof NoImage ? await loaded.sheet.refuse(side, error) : error;
    });
    await delay(scanner.msPerPage - (performance.now() - start), ended);
    if (inFeeder) await loaded.sheet.eject();
    inFeeder = false;
    start = performance.now(); // the back is under way whether or not somebody asks for it
    const facts: Pick<PageFacts, 'sheet' | 'side' | 'dpi'> = { sheet: loaded.number, side, dpi: order.resolution };
    yield { kind: 'raw', ...facts, ...rendered, ...(turned && { adjusted: ['turn'] }) };
    ended.throwIfAborted();
  }
}
