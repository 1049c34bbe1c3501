/** The pages of a scan: one `sane_start` for each side that core pulls. */
import {
  codeOf,
  ScanError,
  type Log,
  type PageFacts,
  type PageWork,
  type RawPage,
  type Source,
} from '@platen/core/plugin';
import { statusOf, type AreaSize } from '@platen/driver-kit';
import type { Handle } from './handle.js';
import { readPage } from './page.js';
import { asScanError } from './statuses.js';

export interface Scan {
  readonly handle: Handle;
  readonly name: string;
  readonly log: Log;
  readonly source: Source;
  readonly sides: readonly PageFacts['side'][];
  readonly dpi: number;
  readonly adjusted: readonly PageWork[];
  /** A larger page is cut to this size. */
  readonly cut?: AreaSize;
  /** The most sheets to feed. */
  readonly sheets: number;
  readonly maxPixels: number;
  /** Of a page, as `prepare` returns it. */
  readonly bytes: number;
  /** Stops feeding. */
  readonly stop: AbortSignal;
  /** Ends the scan at once, with its reason. */
  readonly ended: AbortSignal;
  /** The feeder reported that it is empty. */
  onEmpty(): void;
  /** `sane_start` did not return in time; its helper was killed. */
  onHang(): void;
  /** Finds out what a jam really is. */
  onJam(): Promise<'paper-jam' | 'double-feed'>;
}

/** Pulling the front feeds the sheet; the back comes from the same feed. */
export async function* scanPages(context: Scan): AsyncGenerator<RawPage, void, undefined> {
  const { source, sides, dpi, adjusted, stop, ended } = context;
  const most = source === 'flatbed' ? 1 : context.sheets;
  let failure: unknown;
  let came = 0;
  try {
    for (let sheet = 1; sheet <= most && !stop.aborted; sheet++) {
      for (const side of sides) {
        const page = await pull(context, came > 0);
        if (!page) return;
        came++;
        yield { kind: 'raw', sheet, side, dpi, ...page, ...(adjusted.length > 0 && { adjusted }) };
        ended.throwIfAborted();
      }
    }
  } catch (error) {
    failure = error;
  } finally {
    await finish(context);
  }
  if (failure !== undefined) throw await meaningOf(failure, context);
}

/** The next side; undefined if the feeder is empty. */
async function pull(scan: Scan, isLater: boolean) {
  const { handle, bytes, ended, onEmpty, onHang } = scan;
  ended.throwIfAborted();
  try {
    await handle.start(bytes).catch((error: unknown) => {
      if (codeOf(error) === 'timeout' && !ended.aborted) onHang();
      throw error;
    });
    ended.throwIfAborted();
    return await readPage(handle, scan);
  } catch (error) {
    if (statusOf(error) !== 'NO_DOCS' || ended.aborted) throw error;
    onEmpty();
    if (!isLater) throw error;
    return undefined;
  }
}

/** SANE requires a cancel after every scan, also after a failed one. */
async function finish({ handle, name, log, ended }: Scan): Promise<void> {
  try {
    await handle.cancel();
  } catch (error) {
    if (!ended.aborted) log.warn(`"${name}" did not end its scan: ${asScanError(error, name, true).message}`);
  }
}

async function meaningOf(failure: unknown, { ended, name, onJam }: Scan): Promise<unknown> {
  if (ended.aborted) return ended.reason;
  const error = asScanError(failure, name, true);
  if (statusOf(failure) !== 'JAMMED' || (await onJam()) === 'paper-jam') return error;
  return new ScanError('double-feed', `"${name}" took two sheets at once.`, { cause: failure });
}
