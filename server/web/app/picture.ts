/** A page's image as an element, if the browser can show it. */
import { element } from './element.js';
import { keptAt, type KeptAt, type Page } from './page.js';

const shown: ReadonlySet<string> = new Set(['image/png', 'image/jpeg', 'image/bmp', 'image/webp']);
const isFormatShown = ({ mimeType }: Page): boolean => shown.has(mimeType);

/** The service makes a JPEG of a page that it keeps, so that a browser can show every format. */
export function isShown(page: Page): boolean {
  const kept = keptAt(page);
  return kept ? kept.damage === undefined : isFormatShown(page);
}

/** Pixels of the widest JPEG that the service makes. */
const WIDEST = 2000;

/** As a JPEG of at most `WIDEST` pixels if the service keeps it, because a whole page can have many megabytes. */
export function picture(page: Page, alt: string): HTMLElement {
  const kept = keptAt(page);
  if (!isShown(page)) return placeholder(page, kept?.damage);
  const image = imageOf(page, alt);
  return kept ? keptPicture(image, page, `${kept.url}?width=${WIDEST}`) : ownPicture(image, page);
}

/** Every pixel of its file, if the browser can show its format. */
export function wholePicture(page: Page, alt: string): HTMLElement {
  const kept = keptAt(page);
  if (!kept || !isShown(page) || !isFormatShown(page)) return picture(page, alt);
  return keptPicture(imageOf(page, alt), page, kept.url);
}

const imageOf = ({ width, height }: Page, alt: string): HTMLImageElement =>
  element('img', { alt, width, height, decoding: 'async' });

/** Revokes the Blob's URL once the browser has loaded it. */
function ownPicture(image: HTMLImageElement, page: Page): HTMLElement {
  const url = URL.createObjectURL(page.file as Blob);
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

/** Pauses before a picture is requested again, ms: the service may be restarting. */
const AGAIN_MS = [500, 1000, 2000, 4000, 8000, 15_000, 30_000];

/** The service rejects pictures without CORS, because pages of other origins could show them. */
function keptPicture(image: HTMLImageElement, page: Page, url: string): HTMLElement {
  let failures = 0;
  image.crossOrigin = 'anonymous';
  image.addEventListener('error', () => {
    const pause = AGAIN_MS[failures++];
    if (pause === undefined) return image.replaceWith(placeholder(page, 'The page could not be loaded'));
    setTimeout(() => image.isConnected && (image.src = url), pause);
  });
  image.src = url;
  return image;
}

/** A thumbnail that holds only the pixels it shows. @param most pixels of its longer side */
export function thumbnail(page: Page, most: number): HTMLElement {
  const kept = keptAt(page);
  if (!isShown(page)) return placeholder(page, kept?.damage);
  const factor = most / Math.max(page.width, page.height);
  const [width = 1, height = 1] = [page.width, page.height].map(side => Math.max(1, Math.round(side * factor)));
  if (!kept) return drawn(page, element('canvas', { width, height }));
  // Without lazy loading, a stack would request all its thumbnails at once.
  const image = element('img', { alt: '', loading: 'lazy', decoding: 'async' });
  // The page's shape before it is loaded, and the place's size if the page is smaller.
  image.style.aspectRatio = `${width} / ${height}`;
  image.style.width = `min(100%, calc(var(--height) * ${width / height}))`;
  return keptPicture(image, page, thumbnailOf(kept, width));
}

/** Pixels of the narrowest JPEG that the service makes. */
const NARROWEST = 16;
const thumbnailOf = ({ url }: KeptAt, width: number): string => `${url}?width=${Math.max(NARROWEST, width)}`;

/** Sequential: each image is first decoded at full size, and a whole stack at once exceeds a tab's memory. */
let last: Promise<unknown> = Promise.resolve();

function drawn(page: Page, canvas: HTMLCanvasElement): HTMLElement {
  const draw = async (): Promise<void> => {
    const bitmap = await createImageBitmap(page.file as Blob, {
      resizeWidth: canvas.width,
      resizeHeight: canvas.height,
      resizeQuality: 'high',
    });
    canvas.getContext('2d')?.drawImage(bitmap, 0, 0);
    bitmap.close();
  };
  last = last.then(draw).catch(() => canvas.replaceWith(placeholder(page)));
  return canvas;
}

function placeholder({ format, width, height }: Page, why = 'Browsers cannot show this format'): HTMLElement {
  const made = element(
    'span',
    { class: 'unshown' },
    element('strong', {}, format.toUpperCase()),
    element('span', {}, why),
  );
  made.style.aspectRatio = `${width} / ${height}`;
  return made;
}
