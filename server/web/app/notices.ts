/** Messages for the user: what happened, what went wrong, how to fix it. Each stays until it is closed or outdated. */
import { PlatenError, type Finding } from '../client.js';
import { button, byId, element, fill, icon } from './element.js';
import { remedyOf } from './remedies.js';
import { countOf } from './words.js';

export interface Notice {
  readonly title: string;
  readonly text?: string;
  readonly remedy?: string;
  readonly action?: { readonly text: string; run(): void };
}

const places = { alert: byId('alerts', HTMLElement), note: byId('notes', HTMLElement) };

export function show(kind: keyof typeof places, { title, text, remedy, action }: Notice): void {
  clear();
  const box = element('div', { class: `notice ${kind}` });
  const words = element(
    'div',
    { class: 'words' },
    element('strong', {}, title),
    text !== undefined && element('p', {}, text),
    remedy !== undefined && element('p', { class: 'remedy' }, remedy),
  );
  // The removed message had the focus: move it to where reading continues.
  const leave = (): void => {
    box.remove();
    byId('pages', HTMLElement).focus({ preventScroll: true });
  };
  const act =
    action &&
    button(action.text, () => {
      leave();
      action.run();
    });
  const close = button('Close this message', leave, { icon: 'close', square: true, class: 'ghost' });
  fill(box, icon(kind === 'alert' ? 'alert' : 'info'), words, act, close);
  places[kind].append(box);
}

/** @param kind absent: all */
export function clear(kind?: keyof typeof places): void {
  for (const place of kind ? [places[kind]] : Object.values(places)) place.replaceChildren();
}

/** @param look finds out why the service does not answer */
export async function showFailure(error: unknown, look?: () => Promise<readonly Finding[]>): Promise<void> {
  if (!(error instanceof PlatenError)) {
    show('alert', {
      title: 'Something went wrong on this page',
      text: error instanceof Error ? error.message : String(error),
      remedy: 'Save the pages that are here, then reload the page and try again.',
    });
    return;
  }
  const { title, remedy } = remedyOf(error.code);
  const findings = error.code === 'no-answer' ? ((await look?.()) ?? []) : [];
  // A finding with several possible problems does not help here: this page came from the service, so it was running and
  // trusted.
  const finding = findings.find(({ problem }) => typeof problem === 'string');
  const said = finding?.sentence ?? error.message;
  const text = [said === `${title}.` ? '' : said, keptOf(error.pages.length)].filter(Boolean).join(' ');
  show(error.code === 'cancelled' ? 'note' : 'alert', {
    title,
    ...(text && { text }),
    remedy: finding?.remedy ?? remedy,
  });
}

function keptOf(pages: number): string {
  return pages === 0
    ? ''
    : `${countOf(pages, 'page')} finished before that and ${pages === 1 ? 'is' : 'are'} kept here.`;
}
