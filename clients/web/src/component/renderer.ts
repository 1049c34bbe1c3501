/** Draws the element's shadow root: once for many changes, with the focus kept, and with sentences for screen readers. */
import { render, type TemplateResult } from 'lit-html';
import type { Context } from './context.js';
import { styleSheet, styles } from './styles.js';

export interface RendererParts {
  readonly root: ShadowRoot;
  /** Undefined: there is nothing to draw yet. */
  template(): TemplateResult | undefined;
  /** BCP 47, of what is announced. */
  language(): string;
  /** The id of the element that takes the focus of this one, which is gone. */
  nextOf(lost: Element): string;
  onDrawn(): void;
}

export interface Renderer extends Pick<Context, 'changed' | 'announce' | 'focus'> {
  /** Gives the root its style sheets. */
  begin(): void;
  /** Adds the style sheet of a part that was loaded. */
  adopt(text: string): void;
}

export function createRenderer({ root, template, language, nextOf, onDrawn }: RendererParts): Renderer {
  const announcer = document.createElement('div');
  let isDue = false;
  let focusNext: string | undefined;

  function draw(): void {
    const drawn = template();
    if (!drawn) return;
    const focused = root.activeElement;
    render(drawn, root);
    if (!announcer.isConnected) root.append(announcer);
    const id = focusNext;
    focusNext = undefined;
    if (id !== undefined) root.getElementById(id)?.focus({ preventScroll: true });
    else if (focused && root.activeElement !== focused) refocus(focused);
    onDrawn();
  }

  /** An element that was moved has lost the focus. */
  function refocus(lost: Element): void {
    const next = lost.isConnected ? lost : root.getElementById(nextOf(lost));
    if (next instanceof HTMLElement) next.focus({ preventScroll: true });
  }

  function changed(): void {
    if (isDue) return;
    isDue = true;
    queueMicrotask(() => {
      isDue = false;
      draw();
    });
  }

  return {
    changed,
    begin() {
      announcer.className = 'unseen';
      announcer.id = 'announcer';
      announcer.setAttribute('role', 'status');
      root.adoptedStyleSheets = styles();
    },
    adopt(text) {
      const sheets = root.adoptedStyleSheets;
      const sheet = styleSheet(text);
      if (!sheets.includes(sheet)) sheets.push(sheet);
    },
    /** A screen reader repeats the same sentence only if the region was empty in between. */
    announce(sentence) {
      announcer.textContent = '';
      announcer.lang = language();
      setTimeout(() => (announcer.textContent = sentence), 50);
    },
    focus(id) {
      focusNext = id;
      changed();
    },
  };
}
