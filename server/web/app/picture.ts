/** A page's image as an element, where the browser can show its format. */
import type { ScannedPage } from '../client.js';
import { element } from './element.js';

const shown: ReadonlySet<string> = new Set(['image/png', 'image/jpeg', 'image/bmp']);

export const isShown = ({ mimeType }: ScannedPage): boolean => shown.has(mimeType);

/** At the full size of its pixels; the bytes are let go of once the browser has them. */
export function picture(page: ScannedPage, alt: string): HTMLElement {
  if (!isShown(page)) return placeholder(page);
  const url = URL.createObjectURL(page.blob);
  const image = element('img', { alt, width: page.width, height: page.height, decoding: 'async' });
  const done = (): void => URL.revokeObjectURL(url);
  image.addEventListener('load', done, { once: true });
  image.addEventListener(
    'error',
    () => {
      done();
      image.replaceWith(placeholder(page));
    },
    { once: true },
  );
  image.src = url;
  return image;
}

/** One after the other: each is decoded at its full size first, and a stack's at once are more than a tab may hold. */
let drawn: Promise<unknown> = Promise.resolve();

/** A small drawing of it, which costs no more memory than it shows. @param most pixels of its longer side */
export function thumbnail(page: ScannedPage, most: number): HTMLElement {
  if (!isShown(page)) return placeholder(page);
  const factor = most / Math.max(page.width, page.height);
  const [width, height] = [page.width, page.height].map(side => Math.max(1, Math.round(side * factor)));
  const canvas = element('canvas', { width, height });
  const draw = async (): Promise<void> => {
    const bitmap = await createImageBitmap(page.blob, {
      resizeWidth: canvas.width,
      resizeHeight: canvas.height,
      resizeQuality: 'high',
    });
    canvas.getContext('2d')?.drawImage(bitmap, 0, 0);
    bitmap.close();
  };
  drawn = drawn.then(draw).catch(() => canvas.replaceWith(placeholder(page)));
  return canvas;
}

function placeholder({ format, width, height }: ScannedPage): HTMLElement {
  const made = element(
    'span',
    { class: 'unshown' },
    element('strong', {}, format.toUpperCase()),
    element('span', {}, 'No preview in a browser'),
  );
  made.style.aspectRatio = `${width} / ${height}`;
  return made;
}
