/** The element as a control of a form: its files as the form's value, and whether the form may be sent. */
import { isSameLayout, type Layout } from './pages/layout.js';
import type { ScanDialog } from './scanDialog.js';
import type { Words } from './words/words.js';

export interface FormControlParts {
  readonly element: HTMLElement;
  readonly internals: ElementInternals;
  readonly root: ShadowRoot;
  /** Undefined while the element is in no document. */
  dialog(): ScanDialog | undefined;
  words(): Words;
}

export interface FormControl {
  /** What Done gave last; empty before. */
  readonly files: readonly File[];
  /** Done was pressed. @param layout of the pages in the files */
  take(files: readonly File[], layout: Layout): void;
  clear(): void;
  /** The element has another name. */
  rename(): void;
  /** Pages, files or activity changed. */
  validate(): void;
}

export function createFormControl({ element, internals, root, dialog, words }: FormControlParts): FormControl {
  let files: readonly File[] = [];
  /** Of the pages in the files: what is shown is in the form only while it is the same. */
  let handedOver: Layout | undefined;

  function become(next: readonly File[]): void {
    files = next;
    if (files.length === 0) handedOver = undefined;
    const name = element.getAttribute('name');
    const data = new FormData();
    if (name) for (const file of files) data.append(name, file, file.name);
    internals.setFormValue(name && files.length > 0 ? data : null);
    validate();
  }

  /** A form is not sent without the pages that it shows. The service makes the files, so `submit` cannot wait for them. */
  function validate(): void {
    const now = dialog();
    if (!now) return;
    const { shownDocument, job, waiting, options } = now;
    const { stack } = shownDocument;
    const isScanning = job.activity !== undefined && job.activity.kind !== 'preview';
    const isEmpty = stack.all.length === 0;
    // All pages were removed after Done: nothing is shown, and there is no Done to press.
    if (isEmpty && files.length > 0 && !isScanning && !waiting.isLooking) return become([]);
    const isHandedOver = handedOver !== undefined && isSameLayout(stack.layout, handedOver);
    const isOfForm = element.hasAttribute('name') && options.actions.has('done');
    const isMissing = element.hasAttribute('required') && files.length === 0;
    const key = isScanning ? 'done.due-after-scan' : isEmpty ? 'done.required' : 'done.due';
    const isDue = isOfForm && (isScanning || (!isEmpty && !isHandedOver));
    if (!isDue && !isMissing) return internals.setValidity({});
    // The browser shows its message at the anchor, and blocks the form in silence without one that takes the focus.
    const anchor = root.querySelector<HTMLElement>(isEmpty ? '#scan:enabled' : '#done');
    internals.setValidity(
      isDue ? { customError: true } : { valueMissing: true },
      words()(key) || key,
      anchor ?? root.getElementById('pages') ?? undefined,
    );
  }

  return {
    get files() {
      return files;
    },
    take(given, layout) {
      handedOver = layout;
      become(given);
    },
    clear: () => become([]),
    rename: () => become(files),
    validate,
  };
}
