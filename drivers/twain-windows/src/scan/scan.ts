/**
 * The pages of a scan.
 *
 * Sheet by sheet: CAP_XFERCOUNT is the number of sides of one sheet, and the source is enabled when a sheet is pulled.
 * A source feeds no more than that, so only pulled sheets are fed. The scanner pauses between two sheets.
 * Continuous, if a source scans ahead (CAP_AUTOSCAN) or the configuration says so (`feeding: batch`): the
 * source is enabled once and runs at its own speed. `stop` stops its feeder; the sheets already fed are delivered.
 *
 * Either way the number of sheets is limited: some sources report a full feeder whenever they are enabled.
 */
import { ScanError, type RawPage } from '@platen/core/plugin';
import { cutToArea } from '../capabilities/area.js';
import { isNoPaper } from '../protocol/conditions.js';
import { transferPage } from './page.js';
import type { TransferredPage } from '../images/dib.js';
import { waitForTransferReady, type TransferReadyWait } from './transferReady.js';

export interface Scan extends TransferReadyWait {
  /** The most sheets to feed. */
  readonly sheets: number;
  /** A source that offers more sheets than this is faulty. */
  readonly mostSheets: number;
  readonly maxPixels: number;
  /** Stops feeding. */
  readonly stop: AbortSignal;
  /** The feeder has no more paper. */
  onEmpty(): void;
}

/** Keeps the source's state at the end, with its feeder stopped. */
export async function* scanPages(scan: Scan): AsyncGenerator<RawPage, void, undefined> {
  const { dataSource, prepared } = scan;
  try {
    yield* pages(scan);
  } finally {
    // After a failed or unwanted page, the end of its transfer would feed the next sheet.
    const feeds = prepared.continuous && (dataSource.state === 'ready' || dataSource.state === 'transferring');
    if (feeds) await stopFeeding(scan).catch(() => undefined);
  }
}

async function* pages(scan: Scan): AsyncGenerator<RawPage, void, undefined> {
  const { dataSource, prepared, source, stop } = scan;
  const { sides, continuous } = prepared;
  const most = source === 'flatbed' ? 1 : scan.sheets;
  let came = 0;
  for (let sheet = 1; sheet <= most; sheet++) {
    const isFull = sheet > scan.mostSheets;
    if ((stop.aborted || isFull) && !(continuous && (await isFed(scan, sheet)))) {
      if (isFull && !stop.aborted) await refuseMore(scan);
      return;
    }
    for (const side of sides) {
      // Do not wait for a back that the source does not have: the next front would take its place.
      if (side === 'back' && dataSource.state !== 'ready') break;
      const pulled = await pull(scan, came === 0);
      if (pulled) {
        came++;
        const { area } = prepared;
        const page = area ? cutToArea(pulled.page, area, source) : pulled.page;
        const adjusted = [...prepared.adjusted[side], ...(area ? (['area'] as const) : [])];
        yield { kind: 'raw', sheet, side, ...page, ...(adjusted.length > 0 && { adjusted }) };
      }
      if (pulled?.fault && !isNoPaper(pulled.fault.error)) throw pulled.fault.error;
      if (pulled && !pulled.fault) continue;
      if (source === 'feeder') scan.onEmpty();
      return;
    }
  }
}

/** Stops the feeder. @returns whether this sheet was already fed */
async function isFed(scan: Scan, sheet: number): Promise<boolean> {
  const { dataSource, mostSheets, name, log } = scan;
  // A source that continues this long does not stop its feeder: no paper path holds so many sheets.
  if (sheet === 1 || sheet > 2 * mostSheets || dataSource.state !== 'ready') return false;
  if (!(await stopFeeding(scan))) log.debug(`"${name}" does not stop its feeder; the scan waits for the sheets in it.`);
  return true;
}

/**
 * MSG_STOPFEEDER is for sources that scan ahead. Others feed a sheet at the end of the previous one, as long as
 * CAP_AUTOFEED is on; those that accept no capability in this state keep feeding until the scan is abandoned.
 */
async function stopFeeding({ dataSource, negotiation }: Scan): Promise<boolean> {
  return (await dataSource.stopFeeder()) || negotiation.set('AUTOFEED', false);
}

/** @throws ScanError `driver-failed`, unless the feeder is known to be empty */
async function refuseMore({ negotiation, prepared, name, mostSheets }: Scan): Promise<void> {
  if (prepared.sensesPaper && (await negotiation.current('FEEDERLOADED')) === false) return;
  throw new ScanError(
    'driver-failed',
    `"${name}" has fed ${mostSheets} sheets in this scan and offers more. Scan the rest of the stack, or raise the ` +
      `driver's option "mostSheets". If its feeder is empty, set the option "feeding" to "batch".`,
  );
}

interface Pulled {
  readonly page: TransferredPage;
  /** A failure of the next sheet, or of the device, after the page. */
  readonly fault: { readonly error: unknown } | undefined;
}

/** The next side; undefined if there is none. */
async function pull(scan: Scan, isFirst: boolean): Promise<Pulled | undefined> {
  const { dataSource, ended } = scan;
  ended.throwIfAborted();
  try {
    if (!(await waitForTransferReady(scan, isFirst))) return undefined;
    ended.throwIfAborted();
    const page = await transferPage(scan);
    // Sources feed the next sheet now: a jam of that sheet is reported here, and this page is complete.
    const fault = await dataSource.endTransfer().then(
      () => undefined,
      (error: unknown) => ({ error }),
    );
    ended.throwIfAborted();
    // No page follows: let the motor stop while the page is processed.
    if (dataSource.state === 'spent') await dataSource.stepDownTo('open');
    return { page, fault };
  } catch (error) {
    // A page whose transfer has begun is torn, whatever the error is.
    if (isFirst || !isNoPaper(error) || dataSource.state === 'transferring') throw error;
    return undefined;
  }
}
