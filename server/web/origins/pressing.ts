/** Buttons that decide something: they work only after the person could see them for some time. */
import { createGuard, type Guard } from './guard.js';

interface Watched {
  readonly guard: Guard;
  readonly buttons: readonly HTMLButtonElement[];
  show(): void;
}

const watched = new Set<Watched>();
/** By events alone: the press that brings the focus here must find it absent. */
let hasFocus = document.hasFocus();
const isSeen = (): boolean => hasFocus && document.visibilityState === 'visible';

/** Something moved: what is under the pointer may be another button now. */
export function restartPressing(): void {
  for (const each of watched) {
    if (!each.buttons.some(({ isConnected }) => isConnected)) watched.delete(each);
    each.guard.restart();
    each.show();
  }
}

function setFocus(has: boolean): void {
  hasFocus = has;
  restartPressing();
}

/** Some browsers give a page the focus without an event. */
export function checkFocus(): void {
  if (document.hasFocus() !== hasFocus) setFocus(document.hasFocus());
}

const presses = (event: KeyboardEvent): boolean => event.key === 'Enter' || event.key === ' ';

/** The buttons of one question, in a row. @param actions their names, in the current language, and what they do */
export function decidingButtons(
  actions: readonly { readonly text: string; readonly class?: string; readonly id: string; onPress(): void }[],
): HTMLElement {
  const row = document.createElement('div');
  row.className = 'buttons';
  const guard = createGuard({ now: () => performance.now(), isSeen });
  let timer: ReturnType<typeof setTimeout> | undefined;
  const buttons = actions.map(({ text, id, class: name = '', onPress }) => {
    const button = document.createElement('button');
    Object.assign(button, { type: 'button', textContent: text, className: name, id });
    button.addEventListener('click', () => guard.counts() && onPress());
    return button;
  });
  const show = (): void => {
    clearTimeout(timer);
    const remaining = guard.remaining();
    for (const button of buttons) button.setAttribute('aria-disabled', String(remaining !== 0));
    if (remaining !== undefined && remaining > 0) timer = setTimeout(show, remaining);
  };
  const down = (isRepeat: boolean): void => {
    guard.down(isRepeat);
    show();
  };
  row.append(...buttons);
  row.addEventListener('pointerdown', () => down(false));
  row.addEventListener('keydown', event => presses(event) && down(event.repeat));
  watched.add({ guard, buttons, show });
  show();
  return row;
}

// After the click, which comes after these.
const release = (): void => void setTimeout(() => watched.forEach(({ guard }) => guard.up()));
for (const kind of ['pointerup', 'pointercancel', 'keyup']) addEventListener(kind, release);
addEventListener('focus', () => setFocus(true));
addEventListener('blur', () => setFocus(false));
for (const kind of ['resize', 'pageshow']) addEventListener(kind, restartPressing);
document.addEventListener('visibilitychange', restartPressing);
