/** The pages of a scan: one request for a whole batch, whose pages arrive as they are fed. */
import {
  ScanError,
  unlessAborted,
  type Area,
  type EncodedPage,
  type Page,
  type PageFacts,
  type RawPage,
  type Source,
} from '@platen/core/plugin';
import { cutToArea } from '../area.js';
import { filePages } from './filePages.js';
import type { Handle } from '../device/handle.js';
import { memoryPages } from './memoryPages.js';
import { createPageChannel, type PageChannel } from './pageChannel.js';
import { failureOf } from './scanEnd.js';

export interface Scan {
  readonly handle: Handle;
  readonly name: string;
  readonly source: Source;
  readonly sides: readonly PageFacts['side'][];
  /** The value that the scanner accepted. */
  readonly dpi: number;
  readonly area?: Area;
  readonly hasThreshold: boolean;
  readonly isBilevel: boolean;
  readonly wasLoaded: boolean;
  readonly transfer: 'memory' | 'file';
  readonly maxPixels: number;
  /** The most sheets to feed. */
  readonly sheets: number | undefined;
  /** Stops feeding. */
  readonly stop: AbortSignal;
  /** Ends the scan at once, with its reason. */
  readonly ended: AbortSignal;
}

type Body =
  | Omit<RawPage, 'sheet' | 'side' | 'dpi'>
  | (Omit<EncodedPage, 'sheet' | 'side' | 'dpi'> & { readonly dpi?: number });

/**
 * ImageCaptureCore can only cancel a batch, not end it after a sheet, and a fed sheet must not be lost (promise 1). So `stop`
 * waits for the sheet in the paper path, and the helper cancels at its last row.
 */
export async function* scanPages(context: Scan): AsyncGenerator<Page, void, undefined> {
  const { handle, source, sides, dpi, stop, ended } = context;
  const channel = createPageChannel<Body>();
  const running = run(context, channel);
  const finish = () => void (source === 'feeder' && handle.finish(sides.length).catch(() => undefined));
  stop.addEventListener('abort', finish, { once: true });
  let came = 0;
  try {
    for (;;) {
      const body = await unlessAborted(channel.pull(), ended);
      if (!body) return;
      const sheet = Math.floor(came / sides.length) + 1;
      const page: Page = { dpi, ...body, sheet, side: sides[came++ % sides.length] ?? 'front' };
      yield cutToArea(withThreshold(page, context.hasThreshold), context.area);
      ended.throwIfAborted();
    }
  } finally {
    stop.removeEventListener('abort', finish);
    channel.drop();
    await handle.abandon('a scan was abandoned, and the scanner did not stop');
    await running;
  }
}

/** A scanner may send grey for black and white: no threshold has made it. */
function withThreshold(page: Page, hasThreshold: boolean): Page {
  return hasThreshold && page.pixels === 'bw1' ? { ...page, adjusted: [...(page.adjusted ?? []), 'threshold'] } : page;
}

/** Runs from the request to the scan's end, which ends the pages. */
async function run(context: Scan, channel: PageChannel<Body>): Promise<void> {
  const { handle, name, source, isBilevel, wasLoaded, transfer, maxPixels, ended, stop, sheets, sides } = context;
  let came = 0;
  let failed = false;
  const give = (body: Body): Promise<void> => {
    came++;
    return channel.give(body);
  };
  const fail = (error: unknown): void => {
    failed = true;
    channel.fail(error);
  };
  const taker = { maxPixels, fail };
  const files =
    transfer === 'file' ? await filePages({ ...taker, give: page => give({ kind: 'encoded', ...page }) }) : undefined;
  const memory = files ? undefined : memoryPages({ ...taker, give: page => give({ kind: 'raw', ...page }) });
  const pages = files ?? memory;
  const most = sheets === undefined ? {} : { pages: sheets * sides.length };
  const how = files ? { mode: 'file', folder: files.folder, name: 'page', uti: 'public.png' } : { mode: 'memory' };
  const args = { ...how, ...(source === 'feeder' && most) };
  try {
    if (ended.aborted || stop.aborted) return channel.end();
    const error = await handle
      .scan(args, { ...(pages?.place && { place: pages.place }), ...(pages?.onMore && { onMore: pages.onMore }) })
      .then(
        () => undefined,
        (thrown: unknown) => thrown ?? new ScanError('driver-failed', 'The scan failed.'),
      );
    if (failed) return;
    const isTorn = pages?.isTorn ?? false;
    const rest = error === undefined ? memory?.last() : undefined;
    if (rest) void give({ kind: 'raw', ...rest });
    const isLoaded =
      error !== undefined &&
      source === 'feeder' &&
      handle.isOpen &&
      ((await handle.describe().catch(() => undefined))?.unit?.loaded ?? false);
    const failure = failureOf({
      name,
      source,
      error,
      isStopped: stop.aborted || sheets !== undefined,
      came,
      isTorn,
      isBilevel,
      wasLoaded,
      isLoaded,
    });
    if (failure) channel.fail(failure);
    else channel.end();
  } finally {
    await files?.dispose();
  }
}
