/** A page's picture of any size on the screen. */
import { html, nothing, type TemplateResult } from 'lit-html';
import { keyed } from 'lit-html/directives/keyed.js';
import { isDamaged } from '../../pages/page.js';
import { turnedSize, wholeUrl } from '../../pages/pictures.js';
import { drawing, loaded, pictureWidth, placeholder, type ImageOptions } from '../picture.js';

export interface WholeOptions extends ImageOptions {
  /** Screen pixels per page pixel. */
  readonly factor: number;
  /** CSS, of its size. */
  readonly style: string;
}

/** The selected page's picture, and above it, only where that has too few pixels, every pixel of the page's file. */
export function wholePicture(options: WholeOptions): TemplateResult {
  const { page, turn, factor, style } = options;
  if (isDamaged(options)) return placeholder(options, false);
  const size = turnedSize(page, turn);
  const isLarge = size.width * factor * devicePixelRatio > pictureWidth(size);
  return html`<span class="sheet" .style=${style}>${drawing(options)}${isLarge ? everyPixel(options) : nothing}</span>`;
}

function everyPixel({ page, turn }: WholeOptions): TemplateResult {
  const source = wholeUrl(page, turn);
  const image = html`<img alt="" crossorigin="anonymous" decoding="async" draggable="false" ${loaded(source)} />`;
  // Another picture is another element: this one may have been given up.
  return html`${keyed(source, image)}`;
}
