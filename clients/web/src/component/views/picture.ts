/** A page's picture, if the browser can show it. */
import { html, noChange, type ElementPart, type TemplateResult } from 'lit-html';
import { directive, Directive } from 'lit-html/directive.js';
import { keyed } from 'lit-html/directives/keyed.js';
import { passOf } from '../../client/consent/pass.js';
import type { Turn } from '../../client/shapes.js';
import { keptAt, type Page } from '../pages/page.js';
import { clear, draw, fetched, show, turnedBlob } from '../output/pictureHere.js';
import { isShown, pictureUrl, turnedSize, WIDEST, type Size } from '../pages/pictures.js';
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
  return isShown(page) ? paper(turnedSize(page, turn), drawing(options)) : placeholder(options, false);
}

/** Of a page that the browser can show; where it cannot be loaded, with what is in its place. */
export function drawing(options: ImageOptions): TemplateResult {
  const { page, turn, alt } = options;
  const kept = keptAt(page);
  const width = pictureWidth(turnedSize(page, turn));
  return html`<canvas
      role="img"
      aria-label=${alt}
      ${drawn(kept ? pictureUrl(kept, turn, width) : (page.file as Blob), turn, width)}
    ></canvas
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
  if (!isShown(page)) return smallPlaceholder(options, false);
  const size = turnedSize(page, turn);
  const width = Math.max(1, Math.round((size.width * most) / Math.max(size.width, size.height)));
  const kept = keptAt(page);
  const image = kept
    ? // Without lazy loading, a stack would request all its thumbnails at once.
      html`<img
        alt=""
        crossorigin="anonymous"
        loading="lazy"
        decoding="async"
        draggable="false"
        ${loaded(pictureUrl(kept, turn, width), turn)}
      />`
    : html`<canvas ${drawn(page.file as Blob, turn, width, true)}></canvas>`;
  return html`${keyed(turn, paper(size, html`${image}${smallPlaceholder(options, true)}`))}`;
}

/** @param waits it is shown when the picture before it cannot be */
export function placeholder(options: PictureOptions, waits: boolean): TemplateResult {
  const { words, page } = options;
  const damage = keptAt(page)?.damage;
  const why = words(keptAt(page) ? 'pages.unloaded' : 'pages.unshown');
  return html`<span class="unshown" ?hidden=${waits} .style=${shapeOf(options)}
    ><strong>${page.format.toUpperCase()}</strong>${
      damage === undefined ? html`<span>${why}</span>` : html`<span lang="en" dir="ltr">${damage}</span>`
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

/** The picture's address at the service, or the page's file in this tab's memory. */
type Source = string | Blob;

/** Shows what is in the picture's place if all attempts fail. Never rejects. */
async function tryFor(
  source: Source,
  image: Element,
  signal: AbortSignal,
  attempt: () => Promise<void>,
): Promise<void> {
  for (const pause of typeof source === 'string' ? [...AGAIN_MS, 0] : [0]) {
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

/** Begins when the values change. */
abstract class Begun extends Directive {
  #values: readonly unknown[] = [];
  #end = new AbortController();
  override render(..._values: readonly unknown[]): unknown {
    return noChange;
  }
  override update({ element }: ElementPart, values: readonly unknown[]): unknown {
    if (values.every((value, at) => value === this.#values[at])) return noChange;
    this.#values = values;
    this.#end.abort();
    this.#end = new AbortController();
    this.begin(element as HTMLElement, this.#end.signal, ...values);
    return noChange;
  }
  /** @param signal aborted when it begins again */
  protected abstract begin(element: HTMLElement, signal: AbortSignal, ...values: readonly unknown[]): void;
}

class Loaded extends Begun {
  override render(_source: Source, _turn: Turn): unknown {
    return noChange;
  }
  protected override begin(image: HTMLImageElement, signal: AbortSignal, source: Source, turn: Turn): void {
    void tryFor(source, image, signal, async () => {
      if (typeof source !== 'string') return show(image, await turnedBlob(source, turn));
      return show(image, passOf(new URL(source).origin) ? await requested(source, signal) : source);
    });
  }
}
export const loaded = directive(Loaded);

/** Sequential: each image is first decoded at full size, and a whole stack at once exceeds a tab's memory. */
let last: Promise<unknown> = Promise.resolve();

class Drawn extends Begun {
  override render(_source: Source, _turn: Turn, _width: number, _waits?: boolean): unknown {
    return noChange;
  }
  protected override begin(
    canvas: HTMLCanvasElement,
    signal: AbortSignal,
    source: Source,
    turn: Turn,
    width: number,
    waits?: boolean,
  ): void {
    // No longer the picture before this one.
    clear(canvas);
    reveal(canvas, false);
    const begin = (): Promise<void> =>
      tryFor(source, canvas, signal, async () =>
        typeof source === 'string'
          ? draw(canvas, await requested(source, signal), { turn: 0, signal })
          : draw(canvas, source, { turn, width, signal }),
      );
    if (waits) last = last.then(begin);
    else void begin();
  }
}
const drawn = directive(Drawn);
