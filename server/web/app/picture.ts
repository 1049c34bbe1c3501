/** A page's image as an element, if the browser can show its format. */
import type { ScannedPage } from '../client.js';
import { element } from './element.js';

const shown: ReadonlySet<string> = new Set(['image/png', 'image/jpeg', 'image/bmp']);

export const isShown = ({ mimeType }: ScannedPage): boolean => shown.has(mimeType);

/** At full size in pixels; revokes the Blob's URL once the browser has loaded it. */
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

/** Sequential: each image is first decoded at full size, and a whole stack at once exceeds a tab's memory. */
let drawn: Promise<unknown> = Promise.resolve();

/** A thumbnail that holds only the pixels it shows. @param most pixels of its longer side */
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
    element('span', {}, 'Browsers cannot show this format'),
  );
  made.style.aspectRatio = `${width} / ${height}`;
  return made;
}
