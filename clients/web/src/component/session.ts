/** What an element has while it is in a document: its dialog over one service, its memory, and what the window tells it. */
import type { TemplateResult } from 'lit-html';
import { createCalls } from './calls.js';
import type { Context } from './context.js';
import { createElementMemory, createMemory } from './memory.js';
import type { Options } from './options.js';
import type { Renderer } from './renderer.js';
import { createScanDialog, type ScanDialog, type ScanDialogParts } from './scanDialog.js';
import { askConsent } from './scanning/failures.js';
import { createView } from './view.js';
import type { Words } from './words/words.js';

export interface SessionParts extends Pick<ScanDialogParts, 'onFiles' | 'onError'> {
  readonly element: HTMLElement;
  readonly renderer: Renderer;
  words(): Words;
  options(): Options;
}

export interface Session {
  readonly dialog: ScanDialog;
  draw(): TemplateResult;
  end(): void;
}

export function openSession({ element, renderer, words, ...parts }: SessionParts): Session {
  const { changed, announce, focus, adopt } = renderer;
  const baseUrl = element.getAttribute('service');
  let isOver = false;
  const client = createCalls({
    ...(baseUrl !== null && { baseUrl }),
    onConsent: question => {
      if (!isOver) askConsent(dialog, question);
    },
  });
  const context: Context = {
    ...{ client, changed, announce, focus },
    memory: createMemory('platen.'),
    get words() {
      return words();
    },
  };
  const own = createElementMemory(element);
  const dialog = createScanDialog({ ...parts, context, own });
  const { draw, onKey } = createView(dialog, element, adopt);
  // A page that is about scanning gives its keys.
  const place = element.getAttribute('keys') === 'page' ? document : element;
  place.addEventListener('keydown', onKey);

  // A page that the browser may show again as it was keeps its scans.
  const onPageHide = ({ persisted }: PageTransitionEvent): void => {
    if (!persisted) dialog.leave();
  };
  addEventListener('pagehide', onPageHide);

  return {
    dialog,
    draw,
    end() {
      isOver = true;
      removeEventListener('pagehide', onPageHide);
      place.removeEventListener('keydown', onKey);
      own.release();
      dialog.dispose();
    },
  };
}
