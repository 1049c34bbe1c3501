/** Messages for the user: what happened, what went wrong, how to fix it. Each stays until it is closed or outdated. */
import { PlatenError, type Finding } from '../client.js';
import { button, byId, element, fill, icon } from './element.js';
import { remedyOf } from './remedies.js';
import { keptWord } from './words.js';

export interface Notice {
  readonly title: string;
  readonly text?: string | undefined;
  readonly remedy?: string | undefined;
  readonly action?: { readonly text: string; run(): void } | undefined;
  /** Alerts with an action stay: what they offer is still possible. */
  readonly beside?: boolean;
  /** Called when it is closed or replaced and its action was not pressed. */
  onGone?(): void;
}

const places = { alert: byId('alerts', HTMLElement), note: byId('notes', HTMLElement) };
/** Messages with an action. */
const offers = new WeakSet<Element>();
/** What to call when a message is gone. */
const gone = new WeakMap<Element, () => void>();

/** @returns a function that closes it */
export function show(kind: keyof typeof places, notice: Notice): () => void {
  const { title, text, remedy, action, beside = false } = notice;
  if (beside) clearOutdated();
  else clear();
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
    take(box);
    byId('pages', HTMLElement).focus({ preventScroll: true });
  };
  const act =
    action &&
    button(action.text, () => {
      gone.delete(box);
      leave();
      action.run();
    });
  const close = button('Close this message', leave, { icon: 'close', square: true, class: 'ghost' });
  fill(box, icon(kind === 'alert' ? 'alert' : 'info'), words, act, close);
  if (action) offers.add(box);
  if (notice.onGone) gone.set(box, () => notice.onGone?.());
  places[kind].append(box);
  return () => take(box);
}

function take(box: Element): void {
  box.remove();
  gone.get(box)?.();
  gone.delete(box);
}

export function clear(): void {
  for (const place of Object.values(places)) [...place.children].forEach(take);
}

/** All but alerts with an action. */
export function clearOutdated(): void {
  for (const place of Object.values(places))
    [...place.children].filter(box => place === places.note || !offers.has(box)).forEach(take);
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
  const text = [said === `${title}.` ? '' : said, keptWord(error.pages.length)].filter(Boolean).join(' ');
  show(error.code === 'cancelled' ? 'note' : 'alert', {
    title,
    ...(text && { text }),
    remedy: finding?.remedy ?? remedy,
  });
}
