/** `<platen-scan>`: a scanning dialogue for any web page. */
import { PlatenError } from '../client/errors.js';
import type { Scanner, StartParameters } from '../client/shapes.js';
import type { ComponentPage, JobKind, PlatenScanEventMap } from './elementTypes.js';
import { createFormControl } from './formControl.js';
import { optionsOf } from './options.js';
import { thumbId } from './pages/pageActions.js';
import { createRenderer } from './renderer.js';
import type { ScanDialog } from './scanDialog.js';
import { openSession, type Session } from './session.js';
import { languages, loadWords } from './words/languages.js';
import { languageAmong, noWords, type Words } from './words/words.js';

/** A server that renders pages has none: there, the module only gives its names. */
const Base = globalThis.HTMLElement ?? (Object as unknown as typeof HTMLElement);

/**
 * Attributes: `scanner`, `profile`, `parameters` (JSON), `format`, `actions`, `service`, `install`, `keys`, `lang`, `name`,
 * `required`.
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

  readonly #root = this.attachShadow({ mode: 'open' });
  readonly #renderer = createRenderer({
    root: this.#root,
    // Without words, nothing can be said yet.
    template: () => (this.#words === noWords ? undefined : this.#session?.draw()),
    language: () => this.#words.language,
    nextOf: lost => nextOf(lost, this.#dialog),
    onDrawn: () => this.#onDrawn(),
  });
  readonly #form = createFormControl({
    element: this,
    internals: this.attachInternals(),
    root: this.#root,
    dialog: () => this.#dialog,
    words: () => this.#words,
  });
  #words: Words = noWords;
  #given: StartParameters | undefined;
  #session: Session | undefined;
  /** What the last `platen-change` was about. */
  #told = '';
  /** When the first words are there: messages need them. */
  #spoken: Promise<void> | undefined;

  get #dialog(): ScanDialog | undefined {
    return this.#session?.dialog;
  }

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
    return this.#form.files;
  }

  /** In the person's order. */
  get pages(): readonly ComponentPage[] {
    return this.#dialog ? pagesOf(this.#dialog) : [];
  }

  /** The chosen one; undefined while none is known. */
  get chosenScanner(): Scanner | undefined {
    return this.#dialog?.chosen.scanners.chosen;
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
    this.#form.clear();
  }

  connectedCallback(): void {
    if (this.#dialog) return;
    this.#renderer.begin();
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
    if (name === 'name') this.#form.rename();
    this.#renderer.changed();
  }

  formResetCallback(): void {
    this.reset();
  }

  #start(): void {
    this.#session = openSession({
      element: this,
      renderer: this.#renderer,
      words: () => this.#words,
      options: () => optionsOf(name => this.getAttribute(name), this.#given),
      onFiles: (files, layout) => {
        this.#form.take(files, layout);
        this.#dispatch('platen-done', { files });
      },
      onError: error => this.#dispatch('platen-error', error),
    });
    this.#form.validate();
    this.#spoken = this.#speak();
    void this.refresh();
  }

  #stop(): void {
    this.#session?.end();
    this.#session = undefined;
  }

  async #speak(): Promise<void> {
    const language = this.#language;
    const words = await loadWords(language);
    if (language === this.#language) this.#words = words;
    this.#renderer.changed();
  }

  get #language(): string {
    return languageAmong(this.lang ? [this.lang] : navigator.languages, languages) ?? 'en';
  }

  #onDrawn(): void {
    this.#form.validate();
    const now = this.#dialog && stateOf(this.#dialog, this.#words);
    if (now === undefined || now === this.#told) return;
    this.#told = now;
    this.#dispatch('platen-change');
  }

  #dispatch<Name extends keyof PlatenScanEventMap>(name: Name, detail?: PlatenScanEventMap[Name]['detail']): void {
    this.dispatchEvent(new CustomEvent(name, { bubbles: true, composed: true, detail }));
  }
}

const pagesOf = ({ shownDocument: { stack }, shownScans }: ScanDialog): readonly ComponentPage[] =>
  stack.all.map((sheet, at) => ({
    number: at + 1,
    scanner: sheet.scanner,
    width: sheet.page.width,
    height: sheet.page.height,
    resolution: sheet.page.resolution,
    rotate: stack.turnOf(sheet),
    isSaved: shownScans.isMarked(sheet, 'saved') || shownScans.isMarked(sheet, 'handed-over'),
    ocrText: sheet.page.ocrText,
    barcodes: sheet.page.barcodes,
  }));

/** What `platen-change` is about. */
const stateOf = ({ shownDocument: { stack }, chosen, job }: ScanDialog, words: Words): string =>
  [
    words.language,
    chosen.scanners.chosen?.name,
    job.activity?.kind,
    job.activity?.isConnected,
    stack.all.length,
    JSON.stringify(stack.history.now),
  ].join('\n');

/** For an element that is gone, the selected page takes the focus; for Stop, Scan. */
function nextOf(lost: Element, dialog: ScanDialog | undefined): string {
  const chosen = dialog?.shownDocument.stack.chosen;
  return lost.id === 'stop' ? 'scan' : chosen ? thumbId(chosen) : 'pages';
}

declare global {
  interface HTMLElementTagNameMap {
    'platen-scan': PlatenScan;
  }
  /** For listeners at the element, and at what the events bubble to. */
  interface GlobalEventHandlersEventMap extends PlatenScanEventMap {}
}
