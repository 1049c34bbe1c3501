/** A page's picture, if the browser can show it. */
import { html, noChange, type ElementPart, type TemplateResult } from 'lit-html';
import { directive, Directive } from 'lit-html/directive.js';
import { keyed } from 'lit-html/directives/keyed.js';
import { passOf } from '../../client/consent/pass.js';
import type { Turn } from '../../client/shapes.js';
import { keptAt, type Page } from '../pages/page.js';
import { draw, fetched, show, turnedBlob } from '../output/pictureHere.js';
import { isShown, pictureUrl, turnedSize, wholeUrl, type Size } from '../pages/pictures.js';
import type { Words } from '../words/words.js';

export interface PictureOptions {
  readonly words: Words;
  readonly page: Page;
  readonly turn: Turn;
}

interface ImageOptions extends PictureOptions {
  readonly alt: string;
  /** CSS. */
  readonly style?: string;
}

/** CSS pixels: about the widest place that a selected page has. */
const PLACE = 900;

/** If the service keeps it, as a JPEG of the pixels that the screen shows: a browser keeps many decoded ones. */
export const picture = (options: ImageOptions): TemplateResult => {
  const { page, turn } = options;
  const kept = keptAt(page);
  const image = imageOf(options, kept && pictureUrl(kept, turn, Math.round(PLACE * devicePixelRatio)));
  return isShown(page) ? paper(turnedSize(page, turn), image) : image;
};

/** Every pixel of its file, if the browser can show its format. */
export const wholePicture = (options: ImageOptions): TemplateResult => {
  const kept = keptAt(options.page);
  return imageOf(options, kept && wholeUrl(options.page, kept, options.turn));
};

/** @param url absent: the page is in this tab's memory */
function imageOf(options: ImageOptions, url: string | undefined): TemplateResult {
  const { page, turn, alt, style = '' } = options;
  if (!isShown(page)) return placeholder(options, false);
  const { width, height } = turnedSize(page, turn);
  const image = html`<img
      alt=${alt}
      width=${width}
      height=${height}
      crossorigin="anonymous"
      decoding="async"
      draggable="false"
      .style=${style}
      ${loaded(url ?? (() => turnedBlob(page.file as Blob, turn)))}
    />${placeholder(options, true)}`;
  // Another picture is another element: this one may have been given up.
  return html`${keyed(page, html`${keyed(url ?? turn, image)}`)}`;
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
  const factor = most / Math.max(size.width, size.height);
  const [width, height] = [size.width, size.height].map(side => Math.max(1, Math.round(side * factor))) as [
    number,
    number,
  ];
  const kept = keptAt(page);
  const image = kept
    ? // Without lazy loading, a stack would request all its thumbnails at once.
      html`<img
        alt=""
        crossorigin="anonymous"
        loading="lazy"
        decoding="async"
        draggable="false"
        ${loaded(pictureUrl(kept, turn, width))}
      />`
    : html`<canvas width=${width} height=${height} ${drawn(page.file as Blob, turn)}></canvas>`;
  return html`${keyed(turn, paper(size, html`${image}${smallPlaceholder(options, true)}`))}`;
}

/** @param waits it is shown when the picture before it cannot be */
function placeholder(options: PictureOptions, waits: boolean): TemplateResult {
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

function giveUp(image: Element): void {
  image.toggleAttribute('hidden', true);
  image.nextElementSibling?.toggleAttribute('hidden', false);
}

/** Pauses before a picture is requested again, ms: the service may be restarting. */
const AGAIN_MS = [500, 1000, 2000, 4000, 8000, 15_000, 30_000];

/** Begins once for each element. */
abstract class Begun extends Directive {
  #isBegun = false;
  override render(..._values: readonly unknown[]): unknown {
    return noChange;
  }
  override update({ element }: ElementPart, values: readonly unknown[]): unknown {
    if (!this.#isBegun) this.begin(element as HTMLElement, ...values);
    this.#isBegun = true;
    return noChange;
  }
  protected abstract begin(element: HTMLElement, ...values: readonly unknown[]): void;
}

class Loaded extends Begun {
  override render(_source: string | (() => Promise<Blob>)): unknown {
    return noChange;
  }
  protected override begin(image: HTMLImageElement, source: string | (() => Promise<Blob>)): void {
    if (typeof source === 'string') return request(image, source);
    image.addEventListener('error', () => giveUp(image));
    void showBlob(image, source);
  }
}
const loaded = directive(Loaded);

function request(image: HTMLImageElement, url: string): void {
  let failures = 0;
  const begin = (): void => {
    const pass = passOf(new URL(url).origin);
    if (pass) void showBlob(image, () => fetched(url, pass));
    else image.src = url;
  };
  image.addEventListener('error', () => {
    const pause = AGAIN_MS[failures++];
    if (pause === undefined) return giveUp(image);
    setTimeout(() => image.isConnected && begin(), pause);
  });
  begin();
}

async function showBlob(image: HTMLImageElement, source: () => Promise<Blob>): Promise<void> {
  try {
    show(image, await source());
  } catch {
    image.dispatchEvent(new Event('error'));
  }
}

/** Sequential: each image is first decoded at full size, and a whole stack at once exceeds a tab's memory. */
let last: Promise<unknown> = Promise.resolve();

class Drawn extends Begun {
  override render(_blob: Blob, _turn: Turn): unknown {
    return noChange;
  }
  protected override begin(canvas: HTMLCanvasElement, blob: Blob, turn: Turn): void {
    last = last.then(() => draw(canvas, blob, turn)).catch(() => giveUp(canvas));
  }
}
const drawn = directive(Drawn);
