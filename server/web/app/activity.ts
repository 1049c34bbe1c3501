/** What the scanner is doing now: a scan with a mark for each finished page, a preview, or auto-scan and what it waits for. */
import { button, byId, element, fill, icon } from './element.js';
import { countOf } from './words.js';

const place = byId('activity', HTMLElement);

export type ActivityKind = 'scan' | 'preview' | 'auto';

export interface Activity {
  /** Pages finished so far. @param scanned pages that the scanner delivered, if known */
  pages(count: number, scanned?: number): void;
  /** Whether the service answers. */
  connected(is: boolean): void;
  /** It was asked to end; the scanner finishes the current sheet first. */
  ending(): void;
  end(): void;
}

export interface ActivityOptions {
  readonly kind: ActivityKind;
  readonly scanner: string;
  /** Whether a dropped image counts as paper. */
  readonly takesInsertions: boolean;
  /** It goes on with an earlier scan, after this many pages. */
  readonly before?: number;
  onEnd(): void;
}

const AWAY = 'The scanning service does not answer. If it was stopped, start it again. Trying again…';
/** Further pages get no mark. */
const MOST_MARKS = 24;

export function beginActivity({ kind, scanner, takesInsertions, before = 0, onEnd }: ActivityOptions): Activity {
  const isScan = kind !== 'auto';
  const running = { scan: `Scanning with ${scanner}`, preview: `Previewing ${scanner}`, auto: 'Auto-scan is on' }[kind];
  const title = element('strong', { class: 'activity-title' }, running);
  let news = {
    scan: `Waiting for ${before > 0 ? 'the next' : 'the first'} page…`,
    preview: 'Scanning the whole flatbed at a low resolution…',
    auto: `Insert a document into ${scanner}${takesInsertions ? ', or drop an image below' : ''}. It is scanned at once.`,
  }[kind];
  const detail = element('p', { class: 'activity-detail' }, news);
  const marks = element('div', { class: 'marks', 'aria-hidden': 'true' }, element('span', { class: 'mark next' }));
  const stop = button(isScan ? 'Cancel' : 'Stop auto-scan', onEnd, { icon: 'stop', class: isScan ? 'danger' : '' });
  const isEnding = (): boolean => stop.hasAttribute('aria-disabled');
  const bar = isScan
    ? element('div', {
        class: 'progress',
        role: 'progressbar',
        'aria-label': 'Scanning',
        'aria-valuetext': 'No page is finished yet',
      })
    : undefined;
  fill(
    place,
    element(
      'div',
      { class: `activity ${kind}` },
      element('span', { class: 'pulse' }, icon(isScan ? 'scan' : kind)),
      element('div', { class: 'words' }, title, detail, kind === 'scan' && marks),
      stop,
      bar,
    ),
  );
  if (matchMedia('(max-width: 60rem)').matches) place.scrollIntoView();

  const activity: Activity = {
    pages(count, scanned = count) {
      const words = `${countOf(count, 'page')} ${isScan ? 'finished' : 'scanned since it was turned on'}`;
      const ahead = scanned > count ? `, ${scanned} scanned` : '';
      news = isScan ? `${words}${ahead}…` : `${words}. Waiting for the next document.`;
      if (!isEnding()) detail.textContent = news;
      bar?.setAttribute('aria-valuetext', words);
      fill(
        marks,
        ...Array.from({ length: Math.min(count, MOST_MARKS) }, () => element('span', { class: 'mark' })),
        element('span', { class: 'mark next' }),
      );
    },
    connected(is) {
      title.textContent = is ? running : 'Reconnecting…';
      if (!isEnding()) detail.textContent = is ? news : AWAY;
    },
    ending() {
      detail.textContent = {
        scan: 'Cancelling. The sheet in the scanner still comes out, and its pages are kept…',
        preview: 'Cancelling…',
        auto: 'Stopping after the current sheet…',
      }[kind];
      // Not `disabled`: a disabled button loses the focus.
      stop.setAttribute('aria-disabled', 'true');
    },
    end() {
      const hadFocus = place.contains(document.activeElement);
      place.replaceChildren();
      if (hadFocus) document.getElementById(kind)?.focus({ preventScroll: true });
    },
  };
  return activity;
}
