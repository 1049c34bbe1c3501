/** Auto-scan of this tab, whose pages come as they are scanned, with its messages. */
import { PlatenError } from '../../client/errors.js';
import type { ScannedPage, ScanParameters } from '../../client/shapes.js';
import type { Context } from '../context.js';
import { textOf } from './followScan.js';
import type { Notices } from '../messages/notices.js';

export interface AutoScanParts {
  readonly context: Context;
  readonly notices: Notices;
  readonly scanner: string;
  readonly parameters: ScanParameters;
  /** Aborted: it is turned off. */
  readonly signal: AbortSignal;
  /** @param count of its pages so far */
  onPage(page: ScannedPage, count: number): void;
  onConnection(connected: boolean): void;
}

/** Until it is turned off, here or elsewhere. @throws PlatenError */
export async function runAutoScan(parts: AutoScanParts): Promise<void> {
  const { context, notices, scanner, parameters, signal, onPage, onConnection } = parts;
  let count = 0;
  const { words } = context;
  const loop = context.client.autoScan(scanner, parameters, { signal, onConnection });
  void Promise.all([loop.message, loop.notes]).then(([message, notes]) => {
    if (message === undefined) return;
    const title = words('auto.on', { scanner });
    const detail = textOf(notes);
    if (detail) notices.show('note', { title, detail });
    else context.announce(title);
  });
  const take = (page: ScannedPage): void => {
    onPage(page, ++count);
    context.announce(context.words('auto.scanned', { page: count }));
  };
  try {
    for await (const page of loop) take(page);
  } catch (error) {
    if (error instanceof PlatenError) error.pages.forEach(take);
    throw error;
  }
  notices.show('note', {
    title: words('auto.off'),
    text: words('auto.count', { count }),
    detail: loop.end?.reason === 'disabled' ? loop.end.message : undefined,
  });
}
