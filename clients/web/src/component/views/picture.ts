/** A page's picture, if its file can be read. */
import { html, noChange, type ElementPart, type TemplateResult } from 'lit-html';
import { directive, Directive } from 'lit-html/directive.js';
import { keyed } from 'lit-html/directives/keyed.js';
import { passOf } from '../../client/consent/pass.js';
import type { Turn } from '../../client/shapes.js';
import { isDamaged, type Page } from '../pages/page.js';
import { clear, draw, fetched, show } from '../output/pictureHere.js';
import { pictureUrl, turnedSize, WIDEST, type Size } from '../pages/pictures.js';
import type { Words } from '../words/words.js';

export interface PictureOptions {
  readonly words: Words;
  readonly page: Page;
  readonly turn: Turn;
}

export interface ImageOptions extends PictureOptions {
  readonly alt: string;
}

/** CSS pixels: about the widest place that a selected page has. */
const PLACE = 900;

/** Pixels, of the picture of a selected page. */
export const pictureWidth = ({ width }: Size): number => Math.min(width, Math.round(PLACE * devicePixelRatio), WIDEST);

/** With the pixels that the screen shows. Of each `<img>` that a tab has shown, the browser keeps the decoded pixels. */
export function picture(options: ImageOptions): TemplateResult {
  const { page, turn } = options;
  return isDamaged(options) ? placeholder(options, false) : paper(turnedSize(page, turn), drawing(options));
}

/** Of a page that is not damaged; where it cannot be loaded, with what is in its place. */
export function drawing(options: ImageOptions): TemplateResult {
  const { page, turn, alt } = options;
  const width = pictureWidth(turnedSize(page, turn));
  return html`<canvas role="img" aria-label=${alt} ${drawn(pictureUrl(page.file, turn, width))}></canvas
    >${placeholder(options, true)}`;
}

/** White paper of the page's shape, also before its image is loaded, as large as its place, whose height is `--height`. */
const paper = ({ width, height }: Size, image: TemplateResult): TemplateResult =>
  html`<span
    class="sheet"
    .style=${`aspect-ratio: ${width} / ${height}; width: min(100%, calc(var(--height) * ${width / height}))`}
    >${image}</span
  >`;

/** A thumbnail that holds only the pixels it shows. @param most pixels of its longer side */
export function thumbnail(options: PictureOptions, most: number): TemplateResult {
  const { page, turn } = options;
  if (isDamaged(options)) return smallPlaceholder(options, false);
  const size = turnedSize(page, turn);
  const width = Math.max(1, Math.round((size.width * most) / Math.max(size.width, size.height)));
  // Without lazy loading, a stack would request all its thumbnails at once.
  const image = html`<img
    alt=""
    crossorigin="anonymous"
    loading="lazy"
    decoding="async"
    draggable="false"
    ${loaded(pictureUrl(page.file, turn, width))}
  />`;
  return html`${keyed(turn, paper(size, html`${image}${smallPlaceholder(options, true)}`))}`;
}

/** @param waits it is shown when the picture before it cannot be */
export function placeholder(options: PictureOptions, waits: boolean): TemplateResult {
  const { words, page } = options;
  const { damage } = page.file;
  return html`<span class="unshown" ?hidden=${waits} .style=${shapeOf(options)}
    ><strong>${page.format.toUpperCase()}</strong>${
      damage === undefined
        ? html`<span>${words('pages.unloaded')}</span>`
        : html`<span lang="en" dir="ltr">${damage}</span>`
    }</span
  >`;
}

/** Its text is not the thumbnail's, whose label says what it is. */
const smallPlaceholder = (options: PictureOptions, waits: boolean): TemplateResult =>
  html`<span
    class="unshown"
    ?hidden=${waits}
    data-format=${options.page.format.toUpperCase()}
    .style=${shapeOf(options)}
  ></span>`;

function shapeOf({ page, turn }: PictureOptions): string {
  const { width, height } = turnedSize(page, turn);
  return `aspect-ratio: ${width} / ${height}`;
}

/** Or what is in its place. */
function reveal(image: Element, isGivenUp: boolean): void {
  image.toggleAttribute('hidden', isGivenUp);
  image.nextElementSibling?.toggleAttribute('hidden', !isGivenUp);
}

/** Pauses before a picture is requested again, ms: the service may be restarting. */
const AGAIN_MS = [500, 1000, 2000, 4000, 8000, 15_000, 30_000];

/** Shows what is in the picture's place if all attempts fail. Never rejects. */
async function tryFor(image: Element, signal: AbortSignal, attempt: () => Promise<void>): Promise<void> {
  for (const pause of [...AGAIN_MS, 0]) {
    try {
      return await attempt();
    } catch {
      if (signal.aborted) return;
      if (pause === 0) return reveal(image, true);
      await new Promise(resolve => setTimeout(resolve, pause));
      if (signal.aborted || !image.isConnected) return;
    }
  }
}

const requested = (url: string, signal: AbortSignal): Promise<Blob> =>
  fetched(url, passOf(new URL(url).origin), signal);

/** Begins when the picture's address at the service changes. */
abstract class Begun extends Directive {
  #url = '';
  #end = new AbortController();
  override render(_url: string): unknown {
    return noChange;
  }
  override update({ element }: ElementPart, [given]: readonly unknown[]): unknown {
    const url = given as string;
    if (url === this.#url) return noChange;
    this.#url = url;
    this.#end.abort();
    this.#end = new AbortController();
    this.begin(element as HTMLElement, this.#end.signal, url);
    return noChange;
  }
  /** @param signal aborted when it begins again */
  protected abstract begin(element: HTMLElement, signal: AbortSignal, url: string): void;
}

class Loaded extends Begun {
  protected override begin(image: HTMLImageElement, signal: AbortSignal, url: string): void {
    void tryFor(image, signal, async () =>
      show(image, passOf(new URL(url).origin) ? await requested(url, signal) : url),
    );
  }
}
export const loaded = directive(Loaded);

class Drawn extends Begun {
  protected override begin(canvas: HTMLCanvasElement, signal: AbortSignal, url: string): void {
    // No longer the picture before this one.
    clear(canvas);
    reveal(canvas, false);
    void tryFor(canvas, signal, async () => draw(canvas, await requested(url, signal), signal));
  }
}
const drawn = directive(Drawn);
