/** The message at the end of a scan: what happened, at which page, and how to go on in the same scan. */
import { PlatenError, type Note, type Scan } from '../client.js';
import type { ScanEnd } from './following.js';
import { show, showFailure, type Notice } from './notices.js';
import { remedyAt, remedyOf } from './remedies.js';
import { countOf, keptWord, secondsWord } from './words.js';

export interface Ending {
  readonly scan: Scan;
  readonly end: ScanEnd;
  /** The number that the user sees for the page that comes next. */
  readonly next: number;
  /** Pages that arrived in this run. */
  readonly count: number;
  /** How long it took, ms; undefined if this page did not see it begin. */
  readonly tookMs: number | undefined;
  /** Whether its scanner has a feeder. */
  readonly hasFeeder: boolean;
  onContinue(): void;
}

export function showEnding(ending: Ending): void {
  const { scan, end, onContinue } = ending;
  show(end.isFault ? 'alert' : 'note', {
    ...wordsOf(ending),
    action: canContinue(scan) ? { text: 'Continue', run: onContinue } : undefined,
  });
}

/** A scan that could not go on: it can be tried again. */
export function showRefusal(error: unknown, onContinue: () => void): void {
  if (!(error instanceof PlatenError)) return void showFailure(error);
  const { title, remedy } = remedyOf(error.code);
  show('alert', { title, text: error.message, remedy, action: { text: 'Continue', run: onContinue } });
}

/** An auto-scan is enabled again instead. */
const canContinue = ({ kind }: Scan): boolean => kind === 'scan';

function wordsOf({ scan, end, next, count, tookMs, hasFeeder }: Ending): Notice {
  if (end.code === undefined) {
    const time = tookMs === undefined ? '' : ` in ${secondsWord(tookMs)}`;
    const how = hasFeeder ? 'insert more paper' : 'place the next sheet on the flatbed';
    const more = canContinue(scan) ? `To add pages to this scan, ${how}, then press Continue.` : undefined;
    return { title: `${countOf(count, 'page')} scanned${time}`, text: joined(textOf(end.notes), more) };
  }
  const { title, remedy } = canContinue(scan) ? remedyAt(end.code, next) : remedyOf(end.code);
  // The title and the remedy already say how the service ended, with the page's number.
  const isSaid = end.error === `${title}.` || (end.code === 'interrupted' && canContinue(scan));
  const error = isSaid ? undefined : end.error;
  return { title, text: joined(error, keptWord(scan.pageCount), textOf(end.notes)), remedy };
}

const joined = (...sentences: readonly (string | undefined)[]): string | undefined =>
  sentences.filter(Boolean).join(' ') || undefined;

/** Only parameters that the service did not follow; the pages show the rest. */
export const textOf = (notes: readonly Note[] = []): string | undefined => joined(...notes.map(({ text }) => text));
