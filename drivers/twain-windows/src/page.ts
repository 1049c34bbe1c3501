/** Takes over the page that is ready. */
import { assertPixels, ScanError } from '@platen/core/plugin';
import type { Frame, PageRows } from '@platen/driver-kit';
import { PT } from './capabilityCodes.js';
import { unlessRefused } from './conditions.js';
import { createDib } from './dib.js';
import type { Handle } from './handle.js';
import { rounded, type Prepared } from './prepare.js';
import { createStrips, MOST_BUFFER_BYTES, WHATEVER } from './strips.js';
import { readBufferSizes, readImageInfo, readPalette, sizes, type ImageInfo } from './structures.js';
import { DAT, DG, MSG, RC } from './triplets.js';

export interface TakenPage extends PageRows {
  readonly dpi: number;
}

/** Of one request: between two of them a scan that was abandoned ends. */
const STRIPS_AT_ONCE = 16;
/** A buffer is no larger than a frame on its way here, unless the source needs it. */
const BUFFER_BYTES = 1024 * 1024;
/** Header, palette and padding of a bitmap; and what a helper can count. */
const BITMAP_EXTRA = 2 * 1024 * 1024;
const MOST_BYTES = 0x7fffffff;

export interface PageContext {
  readonly handle: Handle;
  readonly prepared: Prepared;
  /** Of the scanner. */
  readonly name: string;
  readonly maxPixels: number;
  /** Milliseconds without a byte, whatever else is said. */
  readonly patience: number;
  readonly ended: AbortSignal;
}

/**
 * @throws ScanError `unsupported` for a page that is too large or of a kind that Platen does not know, before anything is allocated; `timeout` of one
 * that goes on without a byte
 */
export async function takePage({ handle, prepared, name, maxPixels, patience, ended }: PageContext): Promise<TakenPage> {
  const { unit, dpi: asked, mechanism } = prepared;
  const info = await infoOf(handle);
  if (info && info.width > 0 && info.length > 0) assertPixels(info.width, info.length, maxPixels);
  const said = info && info.xResolution > 0 ? info.xResolution * unit : undefined;
  if (info && said !== undefined && info.yResolution > 0 && Math.abs(info.xResolution - info.yResolution) > info.xResolution / 50) {
    throw new ScanError('unsupported', `The page has ${info.xResolution} dots one way and ${info.yResolution} the other.`);
  }
  if (mechanism === 'native') {
    const dib = createDib(maxPixels);
    await handle.transfer('native', { maxBytes: Math.min(maxPixels * 4 + BITMAP_EXTRA, MOST_BYTES) }, ({ data }) => dib.push(data));
    const { page, dpi } = dib.finish();
    return { ...page, dpi: rounded(said ?? (dpi > 0 ? dpi : asked)) };
  }
  if (!info) throw new ScanError('driver-failed', 'The driver does not say what its strips are.');
  const strips = createStrips({ info, maxPixels, vanilla: prepared.vanilla, lowestFirst: prepared.lowestFirst, palette: await paletteOf(handle, info) });
  const bytes = await bufferBytes(handle);
  let until = performance.now() + patience;
  const onFrame = (frame: Frame) => {
    if (frame.data.length > 0) until = performance.now() + patience;
    strips.push(frame);
  };
  while ((await handle.transfer('strips', { bytes, maxStrips: STRIPS_AT_ONCE }, onFrame)) === RC.SUCCESS) {
    ended.throwIfAborted();
    if (performance.now() > until) throw new ScanError('timeout', `"${name}" has handed over nothing of a page for ${Math.round(patience / 1000)} s, although it says that it does.`);
  }
  return { ...strips.finish(), dpi: rounded(said ?? asked) };
}

/** A source that cannot say it can hand over a bitmap none the less, which says it itself. */
async function infoOf(handle: Handle): Promise<ImageInfo | undefined> {
  const bytes = await handle.read('IMAGEINFO', DG.IMAGE, DAT.IMAGEINFO, MSG.GET, sizes.imageInfo).catch(unlessRefused);
  return bytes && readImageInfo(bytes);
}

async function paletteOf(handle: Handle, { pixelType }: ImageInfo) {
  if (pixelType !== PT.PALETTE) return [];
  return readPalette(await handle.read('PALETTE8', DG.IMAGE, DAT.PALETTE8, MSG.GET, sizes.palette8));
}

async function bufferBytes(handle: Handle): Promise<number> {
  const { min, max, preferred } = readBufferSizes(await handle.read('SETUPMEMXFER', DG.CONTROL, DAT.SETUPMEMXFER, MSG.GET, sizes.setupMemXfer));
  const wanted = preferred === 0 || preferred === WHATEVER ? BUFFER_BYTES : Math.min(preferred, BUFFER_BYTES);
  const least = min === WHATEVER ? 1 : min;
  const most = max === 0 || max === WHATEVER ? MOST_BUFFER_BYTES : max;
  // One that needs more refuses this in its own words.
  return Math.min(Math.max(least, Math.min(wanted, most)), MOST_BUFFER_BYTES);
}
