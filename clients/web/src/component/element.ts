/** `<platen-scan>`: a scanning dialogue for any web page. */
import { render } from 'lit-html';
import { PlatenError } from '../client/errors.js';
import type { Scanner, StartParameters } from '../client/shapes.js';
import { ask } from './messages/consentQuestion.js';
import { createCalls } from './calls.js';
import type { Context } from './context.js';
import { createScanDialog, type ScanDialog } from './scanDialog.js';
import type { ComponentPage, JobKind, PlatenScanEventMap } from './elementTypes.js';
import { createMemory } from './memory.js';
import { optionsOf } from './options.js';
import type { Sheet } from './pages/page.js';
import { thumbId } from './pages/pageActions.js';
import { isSameLayout, type Layout } from './pages/stack.js';
import { styleSheet, styles } from './styles.js';
import { createView, type View } from './view.js';
import { languages, loadWords } from './words/languages.js';
import { languageAmong, noWords, type Words } from './words/words.js';

/** A server that renders pages has none: there, the module only gives its names. */
const Base = globalThis.HTMLElement ?? (Object as unknown as typeof HTMLElement);

/** Under which the elements in this document remember their pages. */
const keys = new Set<string>();

/** Another form's pages must not appear in this one: not those of another address, and not those of another element. */
function keyOf(element: HTMLElement): string {
  const own = `${location.pathname}${location.search} ${element.id || (element.getAttribute('name') ?? '')}`;
  for (let count = 1; ; count++) {
    const key = `${own} ${count}`;
    if (!keys.has(key)) return key;
  }
}

/**
 * Attributes: `scanner`, `profile`, `parameters` (JSON), `format`, `actions`, `service`, `install`, `lang`, `name`, `required`.
 *
 * Events, which bubble: `platen-done` (`detail.files`: Done was pressed), `platen-change` (pages, scanner or activity
 * changed), `platen-error` (`detail`: a PlatenError).
 */
export class PlatenScan extends Base {
  static readonly formAssociated = true;
  /** BCP 47 tags of the languages that `lang` takes. */
  static readonly languages = languages;
  static readonly observedAttributes = [
    'scanner',
    'profile',
    'parameters',
    'format',
    'actions',
    'service',
    'lang',
    'name',
    'required',
  ];

  readonly #internals = this.attachInternals();
  readonly #root = this.attachShadow({ mode: 'open' });
  readonly #announcer = document.createElement('div');
  #words: Words = noWords;
  #given: StartParameters | undefined;
  #files: readonly File[] = [];
  /** Of the pages in the files: what is shown is in the form only while it is the same. */
  #handedOver: Layout | undefined;
  #dialog: ScanDialog | undefined;
  #view: View | undefined;
  #isDue = false;
  #focusNext: string | undefined;
  #key: string | undefined;
  #said = '';
  /** When the first words are there: messages need them. */
  #spoken: Promise<void> | undefined;

  /** Fixed parameters of every scan; the same as the attribute. */
  get parameters(): StartParameters | undefined {
    return this.#given;
  }
  set parameters(value: StartParameters | undefined) {
    this.#given = value;
    this.#dialog?.renew();
  }

  /** The same as the attribute: frameworks set a property where there is one, and `false` is no attribute then. */
  get required(): boolean {
    return this.hasAttribute('required');
  }
  set required(value: boolean) {
    this.toggleAttribute('required', value);
  }

  /** What Done gave last; empty before. */
  get files(): readonly File[] {
    return this.#files;
  }

  /** In the person's order. */
  get pages(): readonly ComponentPage[] {
    if (!this.#dialog) return [];
    const { stack, shownScans } = this.#dialog;
    return stack.all.map((sheet, at) => ({
      number: at + 1,
      rotate: stack.turnOf(sheet),
      isSaved: shownScans.isMarked(sheet, 'saved') || shownScans.isMarked(sheet, 'handed-over'),
      ...factsOf(sheet),
    }));
  }

  /** The chosen one; undefined while none is known. */
  get chosenScanner(): Scanner | undefined {
    return this.#dialog?.scanners.chosen;
  }

  /** Says the sentences of the catalogue in the element's language. */
  get words(): Words {
    return this.#words;
  }

  /** What the scanner is doing for this element; undefined: nothing. */
  get activity(): JobKind | undefined {
    return this.#dialog?.job.activity?.kind;
  }

  /** Whether the running job waits until the service answers again. */
  get isReconnecting(): boolean {
    return this.#dialog?.job.activity?.isConnected === false;
  }

  /** Like the Scan button. Resolves when the scan has ended, however it ended. */
  async scan(): Promise<void> {
    await this.#dialog?.scan();
  }

  /**
   * The pages as files without pressing Done.
   * @param format absent: the attribute's
   * @throws PlatenError, `no-pages` if there is none
   */
  async toFiles(format?: string, { signal }: { readonly signal?: AbortSignal } = {}): Promise<readonly File[]> {
    if (!this.#dialog) throw new PlatenError('no-pages', 'The element is not in a document.');
    return this.#dialog.delivery.files(format, signal);
  }

  /** Looks for scanners again. */
  async refresh(): Promise<void> {
    await this.#spoken;
    await this.#dialog?.look();
  }

  /** Ends a running scan, and removes all pages, also at the service. */
  reset(): void {
    this.#dialog?.reset();
    this.#setFiles([]);
  }

  connectedCallback(): void {
    if (this.#dialog) return;
    this.#announcer.className = 'unseen';
    this.#announcer.id = 'announcer';
    this.#announcer.setAttribute('role', 'status');
    this.#root.adoptedStyleSheets = styles();
    this.#start();
  }

  disconnectedCallback(): void {
    // A framework may only have moved it.
    setTimeout(() => this.isConnected || this.#stop());
  }

  attributeChangedCallback(name: string, before: string | null, now: string | null): void {
    if (!this.#dialog || before === now) return;
    if (name === 'lang') void this.#speak();
    else if (name === 'service') {
      this.#stop();
      this.#start();
    } else if (name === 'scanner') void this.refresh();
    else if (name === 'profile' || name === 'parameters') this.#dialog.renew();
    if (name === 'name') this.#setFiles(this.#files);
    this.#changed();
  }

  formResetCallback(): void {
    this.reset();
  }

  #start(): void {
    const baseUrl = this.getAttribute('service');
    const client = createCalls({
      ...(baseUrl !== null && { baseUrl }),
      onConsent: question => {
        if (this.#dialog) ask(this.#dialog, question);
      },
    });
    const key = this.#key !== undefined && !keys.has(this.#key) ? this.#key : keyOf(this);
    keys.add((this.#key = key));
    const rest: Omit<Context, 'words'> = {
      client,
      memory: createMemory('platen.'),
      changed: () => this.#changed(),
      announce: sentence => this.#announce(sentence),
      focus: id => {
        this.#focusNext = id;
        this.#changed();
      },
    };
    const context = Object.defineProperty(rest, 'words', { get: () => this.#words }) as Context;
    this.#dialog = createScanDialog({
      context,
      own: createMemory(`platen.${key}.`),
      options: () => optionsOf(name => this.getAttribute(name), this.#given),
      onFiles: (files, layout) => {
        this.#handedOver = layout;
        this.#setFiles(files);
        this.dispatchEvent(new CustomEvent('platen-done', { bubbles: true, composed: true, detail: { files } }));
      },
      onError: error =>
        void this.dispatchEvent(new CustomEvent('platen-error', { bubbles: true, composed: true, detail: error })),
    });
    this.#view = createView(this.#dialog, text => this.#adopt(text));
    this.#validate();
    addEventListener('beforeunload', this.#onBeforeUnload);
    addEventListener('pagehide', this.#onPageHide);
    this.#spoken = this.#speak();
    void this.refresh();
  }

  #stop(): void {
    removeEventListener('beforeunload', this.#onBeforeUnload);
    removeEventListener('pagehide', this.#onPageHide);
    if (this.#key !== undefined) keys.delete(this.#key);
    this.#dialog?.dispose();
    this.#dialog = undefined;
    this.#view = undefined;
  }

  async #speak(): Promise<void> {
    const language = this.#language;
    const words = await loadWords(language);
    if (language === this.#language) this.#words = words;
    this.#changed();
  }

  /** Of a part that was loaded. */
  #adopt(text: string): void {
    const sheets = this.#root.adoptedStyleSheets;
    const sheet = styleSheet(text);
    if (!sheets.includes(sheet)) sheets.push(sheet);
  }

  get #language(): string {
    return languageAmong(this.lang ? [this.lang] : navigator.languages, languages) ?? 'en';
  }

  /** Draws everything once, however many changes there are. */
  #changed(): void {
    if (this.#isDue) return;
    this.#isDue = true;
    queueMicrotask(() => {
      this.#isDue = false;
      this.#draw();
    });
  }

  #draw(): void {
    if (!this.#dialog || !this.#view || this.#words === noWords) return;
    const focused = this.#root.activeElement;
    render(this.#view.draw(), this.#root);
    if (!this.#announcer.isConnected) this.#root.append(this.#announcer);
    this.#validate();
    const id = this.#focusNext;
    this.#focusNext = undefined;
    if (id !== undefined) this.#root.getElementById(id)?.focus({ preventScroll: true });
    else if (focused && this.#root.activeElement !== focused) this.#refocus(focused);
    const { stack, scanners, job } = this.#dialog;
    const said = [
      this.#words.language,
      scanners.chosen?.name,
      job.activity?.kind,
      job.activity?.isConnected,
      stack.all.length,
    ].join('\n');
    const layout = JSON.stringify(stack.history.now);
    if (said + layout === this.#said) return;
    this.#said = said + layout;
    this.dispatchEvent(new CustomEvent('platen-change', { bubbles: true, composed: true }));
  }

  /** An element that was moved has lost the focus. For one that is gone, the selected page takes it; for Stop, Scan. */
  #refocus(lost: Element): void {
    const chosen = this.#dialog?.stack.chosen;
    const id = lost.id === 'stop' ? 'scan' : chosen ? thumbId(chosen) : 'pages';
    const next = lost.isConnected ? lost : this.#root.getElementById(id);
    if (next instanceof HTMLElement) next.focus({ preventScroll: true });
  }

  /** A screen reader repeats the same sentence only if the region was empty in between. */
  #announce(sentence: string): void {
    this.#announcer.textContent = '';
    this.#announcer.lang = this.#words.language;
    setTimeout(() => (this.#announcer.textContent = sentence), 50);
  }

  /** The form's value. */
  #setFiles(files: readonly File[]): void {
    this.#files = files;
    if (files.length === 0) this.#handedOver = undefined;
    const name = this.getAttribute('name');
    const data = new FormData();
    if (name) for (const file of files) data.append(name, file, file.name);
    this.#internals.setFormValue(name && files.length > 0 ? data : null);
    this.#validate();
  }

  /** A form is not sent without the pages that it shows. The service makes the files, so `submit` cannot wait for them. */
  #validate(): void {
    const dialog = this.#dialog;
    if (!dialog) return;
    const { stack, job, waiting, options } = dialog;
    const isScanning = job.activity !== undefined && job.activity.kind !== 'preview';
    const isEmpty = stack.all.length === 0;
    // All pages were removed after Done: nothing is shown, and there is no Done to press.
    if (isEmpty && this.#files.length > 0 && !isScanning && !waiting.isLooking) return this.#setFiles([]);
    const isHandedOver = this.#handedOver !== undefined && isSameLayout(stack.layout, this.#handedOver);
    const isOfForm = this.hasAttribute('name') && options.actions.has('done');
    const isMissing = this.hasAttribute('required') && this.#files.length === 0;
    const key = isScanning ? 'done.due-after-scan' : isEmpty ? 'done.required' : 'done.due';
    const isDue = isOfForm && (isScanning || (!isEmpty && !isHandedOver));
    if (!isDue && !isMissing) return this.#internals.setValidity({});
    // The browser shows its message at the anchor, and blocks the form in silence without one that takes the focus.
    const anchor = this.#root.querySelector<HTMLElement>(isEmpty ? '#scan:enabled' : '#done');
    this.#internals.setValidity(
      isDue ? { customError: true } : { valueMissing: true },
      this.#words(key) || key,
      anchor ?? this.#root.getElementById('pages') ?? undefined,
    );
  }

  readonly #onBeforeUnload = (event: BeforeUnloadEvent): void => {
    if (this.#dialog?.isUnsafe) event.preventDefault();
  };
  // A page that the browser may show again as it was keeps its scans.
  readonly #onPageHide = ({ persisted }: PageTransitionEvent): void => {
    if (!persisted) this.#dialog?.leave();
  };
}

const factsOf = ({ page, scanner }: Sheet): Omit<ComponentPage, 'number' | 'rotate' | 'isSaved'> => ({
  scanner,
  width: page.width,
  height: page.height,
  resolution: page.resolution,
  ocrText: page.ocrText,
  barcodes: page.barcodes,
});

declare global {
  interface HTMLElementTagNameMap {
    'platen-scan': PlatenScan;
  }
  /** For listeners at the element, and at what the events bubble to. */
  interface GlobalEventHandlersEventMap extends PlatenScanEventMap {}
}
