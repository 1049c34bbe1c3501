/** Transfers the page that is ready. */
import { assertPixels } from '@platen/core/driver';
import { ScanError } from '@platen/core/plugin';
import type { Frame, PageRows } from '@platen/driver-kit';
import { unlessRefused } from '../protocol/conditions.js';
import { DAT, DG, MSG, PT, RC } from '../protocol/constants.js';
import type { DataSource } from '../source/dataSource.js';
import { createDib, type TransferredPage } from '../images/dib.js';
import { rounded, type Prepared } from './prepare.js';
import { createStrips, DONT_CARE, MOST_BUFFER_BYTES } from '../images/strips.js';
import { readBufferSizes, readImageInfo, readPalette, sizes, type ImageInfo } from '../protocol/structures.js';

/** Strips per request: an abandoned scan ends between two requests. */
const STRIPS_AT_ONCE = 16;
/** A buffer is not larger than a frame, unless the source needs it. */
const BUFFER_BYTES = 1024 * 1024;
/** Space for a bitmap's header, palette and padding. */
const BITMAP_EXTRA = 2 * 1024 * 1024;
/** The largest length that a helper supports. */
const MOST_BYTES = 0x7fffffff;

export interface PageTransfer {
  readonly dataSource: DataSource;
  readonly prepared: Prepared;
  /** The scanner's name. */
  readonly name: string;
  readonly maxPixels: number;
  /** Time limit for a page that continues without data. */
  readonly pageMs: number;
  readonly ended: AbortSignal;
}

/**
 * @throws ScanError `unsupported` for a page that is too large or of an unknown kind, before anything
 *   is allocated; `timeout` for one that continues without data
 */
export async function transferPage(transfer: PageTransfer): Promise<TransferredPage> {
  const { dataSource, prepared, maxPixels } = transfer;
  const info = await infoOf(dataSource);
  if (info && info.width > 0 && info.length > 0) assertPixels(info.width, info.length, maxPixels);
  const said = info && dpiOf(info, prepared.unit);
  if (prepared.mechanism === 'native') {
    const dib = createDib(maxPixels);
    const maxBytes = Math.min(maxPixels * 4 + BITMAP_EXTRA, MOST_BYTES);
    await dataSource.transfer('native', { maxBytes }, ({ data }) => dib.push(data));
    const { page, dpi } = dib.finish();
    return { ...page, dpi: rounded(said ?? (dpi > 0 ? dpi : prepared.dpi)) };
  }
  if (!info) throw new ScanError('driver-failed', 'The driver does not describe its strips.');
  return { ...(await transferStrips(transfer, info)), dpi: rounded(said ?? prepared.dpi) };
}

async function transferStrips(transfer: PageTransfer, info: ImageInfo): Promise<PageRows> {
  const { dataSource, prepared, name, maxPixels, pageMs, ended } = transfer;
  const { vanilla, lowestFirst } = prepared;
  const strips = createStrips({ info, maxPixels, vanilla, lowestFirst, palette: await paletteOf(dataSource, info) });
  const bytes = await bufferBytes(dataSource);
  let until = performance.now() + pageMs;
  const onFrame = (frame: Frame) => {
    if (frame.data.length > 0) until = performance.now() + pageMs;
    strips.push(frame);
  };
  while ((await dataSource.transfer('strips', { bytes, maxStrips: STRIPS_AT_ONCE }, onFrame)) === RC.SUCCESS) {
    ended.throwIfAborted();
    if (performance.now() <= until) continue;
    const silence = `has delivered no data of a page for ${Math.round(pageMs / 1000)} s`;
    throw new ScanError('timeout', `"${name}" ${silence}, although it reports progress.`);
  }
  return strips.finish();
}

/** Undefined if the source does not support it: it may still transfer a bitmap, whose header has the facts. */
async function infoOf(dataSource: DataSource): Promise<ImageInfo | undefined> {
  const read = dataSource.read('IMAGEINFO', DG.IMAGE, DAT.IMAGEINFO, MSG.GET, sizes.imageInfo);
  const bytes = await read.catch(unlessRefused);
  return bytes && readImageInfo(bytes);
}

/** Undefined if the source does not report it. @throws ScanError `unsupported` if it differs by direction */
function dpiOf({ xResolution, yResolution }: ImageInfo, unit: number): number | undefined {
  if (xResolution <= 0) return undefined;
  if (yResolution > 0 && Math.abs(xResolution - yResolution) > xResolution / 50) {
    throw new ScanError(
      'unsupported',
      `The page has ${xResolution} dpi in one direction and ${yResolution} dpi in the other.`,
    );
  }
  return xResolution * unit;
}

async function paletteOf(dataSource: DataSource, { pixelType }: ImageInfo) {
  if (pixelType !== PT.PALETTE) return [];
  return readPalette(await dataSource.read('PALETTE8', DG.IMAGE, DAT.PALETTE8, MSG.GET, sizes.palette8));
}

async function bufferBytes(dataSource: DataSource): Promise<number> {
  const read = dataSource.read('SETUPMEMXFER', DG.CONTROL, DAT.SETUPMEMXFER, MSG.GET, sizes.setupMemXfer);
  const { min, max, preferred } = readBufferSizes(await read);
  const wanted = preferred === 0 || preferred === DONT_CARE ? BUFFER_BYTES : Math.min(preferred, BUFFER_BYTES);
  const least = min === DONT_CARE ? 1 : min;
  const most = max === 0 || max === DONT_CARE ? MOST_BUFFER_BYTES : max;
  // A source that needs a larger buffer refuses this one with a vendor's condition.
  return Math.min(Math.max(least, Math.min(wanted, most)), MOST_BUFFER_BYTES);
}
