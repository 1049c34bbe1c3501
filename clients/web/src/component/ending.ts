/** The message at the end of a scan: what happened, at which page, and how to go on in the same scan. */
import type { Scan } from '../client/keptScan.js';
import type { Context } from './context.js';
import { textOf, type Followed } from './job.js';
import type { Notice, Notices } from './notices.js';
import { keptWord, remedyAt, remedyOf } from './remedies.js';

export interface Ending extends Followed {
  /** The number that the person sees for the page that comes next. */
  readonly next: number;
  /** Whether its scanner has a feeder. */
  readonly hasFeeder: boolean;
  onContinue(): void;
}

export async function showEnding(context: Context, notices: Notices, ending: Ending): Promise<void> {
  if (ending.end.code !== undefined) await context.learn('errors').catch(() => undefined);
  const { scan, end, onContinue } = ending;
  notices.show(end.isFault ? 'alert' : 'note', {
    ...wordsOf(context, ending),
    action: canContinue(scan) ? { text: context.words('scan.continue'), run: onContinue } : undefined,
  });
}

/** An auto-scan is enabled again instead. */
const canContinue = ({ kind }: Scan): boolean => kind === 'scan';

function wordsOf({ words }: Context, { scan, end, next, count, tookMs, hasFeeder }: Ending): Notice {
  if (end.code === undefined) {
    const seconds = words.number((tookMs ?? 0) / 1000, { minimumFractionDigits: 1, maximumFractionDigits: 1 });
    const title = words(tookMs === undefined ? 'scan.scanned' : 'scan.scanned-in', { count, seconds });
    const more = words(hasFeeder ? 'scan.more-feeder' : 'scan.more-flatbed');
    return { title, text: canContinue(scan) ? more : undefined, detail: textOf(end.notes) };
  }
  const { title, remedy } = canContinue(scan) ? remedyAt(words, end.code, next) : remedyOf(words, end.code);
  // The title and the remedy already say how the service ended, with the page's number.
  const isSaid = end.error === `${title}.` || (end.code === 'interrupted' && canContinue(scan));
  const detail = [isSaid ? '' : end.error, textOf(end.notes)].filter(Boolean).join(' ');
  return { title, text: keptWord(words, scan.pageCount, scan.pagesInMemory), detail, remedy };
}
