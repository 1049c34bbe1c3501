/** The message at the end of a scan: what happened, at which page, and how to go on in the same scan. */
import type { PlatenErrorCode } from '../../client/errors.js';
import type { Scan } from '../../client/scans/keptScan.js';
import type { Context } from '../context.js';
import { textOf } from './followScan.js';
import type { Followed } from './job.js';
import type { Notice, NoticeAction, Notices } from '../messages/notices.js';
import { keptWord, looksAgain, remedyAt, remedyOf } from '../messages/remedies.js';

export interface Ending extends Followed {
  /** The number that the person sees for the page that comes next. */
  readonly next: number;
  /** Whether its scanner has a feeder. */
  readonly hasFeeder: boolean;
  onContinue(): void;
  /** Looks for scanners again. */
  onLook(): void;
}

export function showEnding(context: Context, notices: Notices, ending: Ending): void {
  notices.show(ending.end.isFault ? 'alert' : 'note', {
    ...wordsOf(context, ending),
    stays: true,
    action: actionOf(context, ending),
  });
}

/** An auto-scan is enabled again instead; a scanner that did not begin is looked for again. */
const canContinue = ({ kind, pageCount }: Scan, code: PlatenErrorCode | undefined): boolean =>
  kind === 'scan' && (pageCount > 0 || code === undefined || !looksAgain.has(code));

function actionOf({ words }: Context, { scan, end: { code }, onContinue, onLook }: Ending): NoticeAction | undefined {
  if (canContinue(scan, code)) return { text: words('scan.continue'), run: onContinue };
  return code !== undefined && looksAgain.has(code)
    ? { text: words('scanner.refresh'), isLook: true, run: onLook }
    : undefined;
}

function wordsOf({ words }: Context, { scan, end, next, count, tookMs, hasFeeder }: Ending): Notice {
  if (end.code === undefined && scan.kind === 'autoscan')
    return {
      title: words('auto.off'),
      text: words('auto.count', { count: scan.pageCount }),
      detail: textOf(end.notes),
    };
  if (end.code === undefined) {
    const seconds = words.number((tookMs ?? 0) / 1000, { minimumFractionDigits: 1, maximumFractionDigits: 1 });
    const title = words(tookMs === undefined ? 'scan.scanned' : 'scan.scanned-in', { count, seconds });
    const more = words(hasFeeder ? 'scan.more-feeder' : 'scan.more-flatbed');
    return { title, text: canContinue(scan, undefined) ? more : undefined, detail: textOf(end.notes) };
  }
  const isContinued = canContinue(scan, end.code);
  const { title, remedy } = isContinued ? remedyAt(words, end.code, next) : remedyOf(words, end.code);
  // The title says it with the page's number: the driver's own sentence counts the sheets of this scan alone.
  const isSaid = end.error === `${title}.` || (isContinued && words.has(`at-page.${end.code}.title`));
  const detail = [isSaid ? '' : end.error, textOf(end.notes)].filter(Boolean).join(' ');
  return { title, text: keptWord(words, scan.pageCount, scan.pagesInMemory), detail, remedy };
}
