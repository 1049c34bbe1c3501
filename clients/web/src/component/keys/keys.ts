/** The keys that work wherever the focus is in the element, or in the page. */

export type KeyAction = 'scan' | 'save' | 'done' | 'undo' | 'redo' | 'list';

export type PressedKey = Pick<
  KeyboardEvent,
  'key' | 'code' | 'altKey' | 'ctrlKey' | 'metaKey' | 'shiftKey' | 'isComposing'
>;

/** What has the focus. `choice`: a menu, in which letters choose. `link`: the browser opens it in a new tab. */
export type Focused = 'text' | 'many-lines' | 'choice' | 'link' | 'other';

/** Of macOS; the other one works there, too. */
export const isMac = (globalThis.navigator?.platform ?? '').startsWith('Mac');
/** For `aria-keyshortcuts`. */
export const COMMAND = isMac ? 'Meta' : 'Control';

/**
 * @param isInside the focus is in the element. Elsewhere in the page, a key without Ctrl does nothing (WCAG 2.1.4): who
 *   speaks to their computer types without meaning to
 * @returns undefined: the key is none of these, or what has the focus uses it
 */
export function keyAction(event: PressedKey, focused: Focused, isInside = true): KeyAction | undefined {
  const { key, shiftKey } = event;
  if (event.altKey || event.isComposing || focused === 'many-lines') return undefined;
  if (!event.ctrlKey && !event.metaKey) {
    const isFree = isInside && focused !== 'text' && focused !== 'choice';
    return isFree && ['?', '؟', '？'].includes(key) ? 'list' : undefined;
  }
  if (key === '/') return 'list';
  if (key === 'Enter') return focused === 'link' ? undefined : shiftKey ? 'done' : 'scan';
  const letter = letterOf(event);
  if (letter === 's' && !shiftKey) return 'save';
  // A field has an undo of its own.
  if (focused === 'text') return undefined;
  if (letter === 'z') return shiftKey ? 'redo' : 'undo';
  return letter === 'y' ? 'redo' : undefined;
}

/** On a keyboard of another script, such as Arabic, the letter in its place. */
const letterOf = ({ key, code }: PressedKey): string =>
  (/^[ -~]+$/.test(key) ? key : code.replace('Key', '')).toLowerCase();

/** Inputs without text. */
const notTyped = /^(?:button|checkbox|color|file|image|radio|range|reset|submit)$/;

export function focusedIn(target: EventTarget | undefined): Focused {
  if (!(target instanceof HTMLElement)) return 'other';
  if (target instanceof HTMLTextAreaElement || target.isContentEditable) return 'many-lines';
  if (target instanceof HTMLInputElement) return notTyped.test(target.type) ? 'other' : 'text';
  if (target instanceof HTMLSelectElement) return 'choice';
  return target instanceof HTMLAnchorElement ? 'link' : 'other';
}

export interface KeysParts {
  readonly element: HTMLElement;
  /** The ids of the buttons that a key presses, by their order: the first that there is. */
  readonly buttons: Readonly<Record<'scan' | 'save' | 'done', readonly string[]>>;
  undo(): void;
  redo(): void;
  openList(): void;
}

/** @returns listens at the element, or at the document */
export function createKeys({ element, buttons, undo, redo, openList }: KeysParts): (event: Event) => void {
  const root = element.shadowRoot;
  /** Undefined: there is none, or it cannot be pressed. */
  function buttonOf(action: 'scan' | 'save' | 'done'): HTMLElement | undefined {
    const found = buttons[action].map(id => root?.getElementById(id)).find(Boolean);
    return found?.matches(':disabled, [aria-disabled=true]') === false ? found : undefined;
  }
  return event => {
    if (!(event instanceof KeyboardEvent) || event.defaultPrevented || isDialogOpen()) return;
    const [target] = event.composedPath();
    const focused = focusedIn(target);
    const action = keyAction(event, focused, event.composedPath().includes(element));
    if (!action) return;
    let act: (() => void) | undefined;
    if (action === 'scan' || action === 'save' || action === 'done') {
      const pressed = buttonOf(action);
      act = pressed && (() => pressed.click());
    } else act = { undo, redo, list: openList }[action];
    if (!act) return;
    event.preventDefault();
    if (event.repeat && action !== 'undo' && action !== 'redo') return;
    // What is being typed counts, as when the button is pressed with the mouse.
    if (focused === 'text' && root?.activeElement === target) target?.dispatchEvent(new Event('change'));
    act();
  };

  /** Of the element, or one of the page that does not have the element in it. */
  function isDialogOpen(): boolean {
    const modal = document.querySelector('dialog:modal');
    return root?.querySelector('dialog[open]') !== null || (modal !== null && !modal.contains(element));
  }
}
