/**
 * The paper's way through the scanner.
 *
 * Sheet by sheet: CAP_XFERCOUNT is the sides of one sheet, and the source is enabled when a sheet is pulled. A source may not take more
 * than that, whatever else it does, so nothing is fed that nobody pulled. It costs the scanner a pause between two sheets.
 * Continuous, where a source scans ahead (CAP_AUTOSCAN), or where the configuration says so (`feeding: batch`): it is enabled once, and
 * runs at its own speed. It is told to stop feeding, and what it had fed by then is taken over to the last page.
 *
 * Either way there is a most number of sheets: a source that fills its feeder anew whenever it is enabled would feed for ever.
 */
import { ScanError, type RawPage } from '@platen/core/plugin';
import { arrive, isNoPaper, type Way } from './arrival.js';
import { takePage, type TakenPage } from './page.js';

export interface Pass extends Way {
  /** The most sheets to feed. */
  readonly sheets: number;
  /** More than these are a fault of the source's, if it has more. */
  readonly mostSheets: number;
  readonly maxPixels: number;
  /** Feed nothing more. */
  readonly stop: AbortSignal;
  /** There is no more paper. */
  onEmpty(): void;
}

/** Leaves the source in whatever state it is when it ends; its feeder stands still. */
export async function* pass(context: Pass): AsyncGenerator<RawPage, void, undefined> {
  const { handle, prepared } = context;
  try {
    yield* pages(context);
  } finally {
    // On the way down from a page that failed or that nobody wants, the end of its transfer would feed the next one.
    const feeds = prepared.continuous && (handle.state === 'ready' || handle.state === 'transferring');
    if (feeds) await stopFeeding(context).catch(() => undefined);
  }
}

async function* pages(context: Pass): AsyncGenerator<RawPage, void, undefined> {
  const { handle, prepared, source, stop } = context;
  const { sides, continuous, adjusted } = prepared;
  const most = source === 'flatbed' ? 1 : context.sheets;
  let came = 0;
  for (let sheet = 1; sheet <= most; sheet++) {
    const full = sheet > context.mostSheets;
    if ((stop.aborted || full) && !(continuous && (await isInThePath(context, sheet)))) {
      if (full && !stop.aborted) await refuseMore(context);
      return;
    }
    for (const side of sides) {
      // A back that the source does not have is not waited for: it would be the next front.
      if (side === 'back' && handle.state !== 'ready') break;
      const pulled = await pull(context, came === 0);
      if (pulled) {
        came++;
        yield { kind: 'raw', sheet, side, ...pulled.page, ...(adjusted[side].length > 0 && { adjusted: adjusted[side] }) };
      }
      if (pulled?.fault && !isNoPaper(pulled.fault.error)) throw pulled.fault.error;
      if (pulled && !pulled.fault) continue;
      if (source === 'feeder') context.onEmpty();
      return;
    }
  }
}

/** The feeder stands still now; whether it had taken a sheet before. */
async function isInThePath(context: Pass, sheet: number): Promise<boolean> {
  const { handle, mostSheets, name, log } = context;
  // What no path is long enough for, the feeder goes on feeding.
  if (sheet === 1 || sheet > 2 * mostSheets || handle.state !== 'ready') return false;
  if (!(await stopFeeding(context))) log.debug(`"${name}" does not stop its feeder; the sheets that it has taken are waited for.`);
  return true;
}

/**
 * MSG_STOPFEEDER exists for sources that scan ahead. Others draw in a sheet at the end of the one before, as long as CAP_AUTOFEED is on; those that
 * take no capability now feed on until the scan is abandoned.
 */
async function stopFeeding({ handle, talk }: Pass): Promise<boolean> {
  return (await handle.stopFeeder()) || talk.set('AUTOFEED', false);
}

/** @throws ScanError `driver-failed`, unless the feeder is known to be empty */
async function refuseMore({ talk, prepared, name, mostSheets }: Pass): Promise<void> {
  if (prepared.sensesPaper && (await talk.current('FEEDERLOADED')) === false) return;
  throw new ScanError('driver-failed', `"${name}" has fed ${mostSheets} sheets in this scan and offers more. Scan the rest of the stack, or raise the driver's option "mostSheets". If its feeder is empty, set the option "feeding" to "batch".`);
}

interface Pulled {
  readonly page: TakenPage;
  /** What befell the next sheet, or the device, after the page. */
  readonly fault: { readonly error: unknown } | undefined;
}

/** The next side; undefined when there is no more. */
async function pull(context: Pass, isFirst: boolean): Promise<Pulled | undefined> {
  const { handle, ended } = context;
  ended.throwIfAborted();
  try {
    if (!(await arrive(context, isFirst))) return undefined;
    ended.throwIfAborted();
    const page = await takePage(context);
    // Sources draw in the next sheet now: a jam of that one is told here, and this page is a whole one.
    const fault = await handle.endTransfer().then(() => undefined, (error: unknown) => ({ error }));
    ended.throwIfAborted();
    // Nothing follows: the motor may rest while the page is on its way to whoever pulled it.
    if (handle.state === 'spent') await handle.settle('open');
    return { page, fault };
  } catch (error) {
    // A page that had begun is torn, whatever the reason is called.
    if (isFirst || !isNoPaper(error) || handle.state === 'transferring') throw error;
    return undefined;
  }
}
