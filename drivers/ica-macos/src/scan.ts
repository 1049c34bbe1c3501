/** The paper's way through the scanner: one request for a whole batch, whose pages come as they are fed. */
import { ScanError, unlessAborted, type EncodedPage, type Page, type PageFacts, type RawPage, type Source } from '@platen/core/plugin';
import { filePages } from './filePages.js';
import type { Handle } from './handle.js';
import { createHandoff } from './handoff.js';
import { memoryPages } from './memoryPages.js';
import { failureOf } from './scanEnd.js';

export interface Pass {
  readonly handle: Handle;
  readonly name: string;
  readonly source: Source;
  readonly sides: readonly PageFacts['side'][];
  /** As the scanner took it. */
  readonly dpi: number;
  readonly isBilevel: boolean;
  readonly wasLoaded: boolean;
  readonly transfer: 'memory' | 'file';
  readonly maxPixels: number;
  /** The most sheets to feed. */
  readonly sheets: number | undefined;
  /** Feed nothing more. */
  readonly stop: AbortSignal;
  /** Ends at once, with its reason. */
  readonly ended: AbortSignal;
}

type Body = Omit<RawPage, 'sheet' | 'side' | 'dpi'> | (Omit<EncodedPage, 'sheet' | 'side' | 'dpi'> & { readonly dpi?: number });

/**
 * ImageCaptureCore has no way to end a batch after a sheet, only to cancel it, and what has been fed is not to be lost (promise 1). So `stop` lets
 * the sheet come that is in the path, and the helper cancels at its last row.
 */
export async function* pass(context: Pass): AsyncGenerator<Page, void, undefined> {
  const { handle, source, sides, dpi, stop, ended } = context;
  const handoff = createHandoff<Body>();
  const running = run(context, handoff);
  const finish = () => void (source === 'feeder' && handle.finish(sides.length).catch(() => undefined));
  stop.addEventListener('abort', finish, { once: true });
  let came = 0;
  try {
    for (;;) {
      const body = await unlessAborted(handoff.pull(), ended);
      if (!body) return;
      const sheet = Math.floor(came / sides.length) + 1;
      yield { dpi, ...body, sheet, side: sides[came++ % sides.length] ?? 'front' };
      ended.throwIfAborted();
    }
  } finally {
    stop.removeEventListener('abort', finish);
    handoff.drop();
    await handle.abandon('a scan was abandoned, and the scanner did not stop');
    await running;
  }
}

/** From the request to the scan's end, which is told as the end of the pages. */
async function run(context: Pass, handoff: ReturnType<typeof createHandoff<Body>>): Promise<void> {
  const { handle, name, source, isBilevel, wasLoaded, transfer, maxPixels, ended, stop, sheets, sides } = context;
  let came = 0;
  let failed = false;
  const give = (body: Body): Promise<void> => {
    came++;
    return handoff.give(body);
  };
  const fail = (error: unknown): void => {
    failed = true;
    handoff.fail(error);
  };
  const taker = { maxPixels, fail };
  const files = transfer === 'file' ? await filePages({ ...taker, give: page => give({ kind: 'encoded', ...page }) }) : undefined;
  const memory = files ? undefined : memoryPages({ ...taker, give: page => give({ kind: 'raw', ...page }) });
  const pages = files ?? memory;
  const most = sheets === undefined ? {} : { pages: sheets * sides.length };
  const how = files ? { mode: 'file', folder: files.folder, name: 'page', uti: 'public.png' } : { mode: 'memory' };
  const args = { ...how, ...(source === 'feeder' && most) };
  try {
    if (ended.aborted || stop.aborted) return handoff.end();
    const error = await handle.scan(args, { ...(pages?.place && { place: pages.place }), ...(pages?.onMore && { onMore: pages.onMore }) }).then(
      () => undefined,
      (thrown: unknown) => thrown ?? new ScanError('driver-failed', 'The scan failed.'),
    );
    if (failed) return;
    const isTorn = pages?.isTorn ?? false;
    const rest = error === undefined ? memory?.last() : undefined;
    if (rest) void give({ kind: 'raw', ...rest });
    const isLoaded = error !== undefined && source === 'feeder' && handle.isOpen && ((await handle.describe().catch(() => undefined))?.unit?.loaded ?? false);
    const failure = failureOf({ name, source, error, isStopped: stop.aborted || sheets !== undefined, came, isTorn, isBilevel, wasLoaded, isLoaded });
    if (failure) handoff.fail(failure);
    else handoff.end();
  } finally {
    await files?.dispose();
  }
}
