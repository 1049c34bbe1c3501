/** Shows and closes a dialog element as its state says. The element keeps the focus inside, and closes on Escape. */
import { ref } from 'lit-html/directives/ref.js';

/** For the dialog's start tag. */
export const modal = (isOpen: boolean): ReturnType<typeof ref> =>
  ref(element => {
    if (!(element instanceof HTMLDialogElement)) return;
    // Its content is drawn after it.
    queueMicrotask(() => {
      if (!element.isConnected || element.open === isOpen) return;
      if (isOpen) element.showModal();
      else element.close();
    });
  });
