/** Where the picture of a page is, in a format that a browser can show. */
import type { Turn } from '../../client/shapes.js';
import type { KeptAt, Page } from './page.js';

const formats: ReadonlySet<string> = new Set(['image/png', 'image/jpeg', 'image/bmp', 'image/webp']);

export interface Size {
  readonly width: number;
  readonly height: number;
}

/** As it is shown, in the same unit. */
export const turnedSize = ({ width, height }: Size, turn: Turn): Size =>
  turn % 180 === 0 ? { width, height } : { width: height, height: width };

/** Pixels of the narrowest JPEG that the service makes. */
const NARROWEST = 16;
/** Pixels of the widest. */
export const WIDEST = 2000;

/** Of a JPEG that the service makes: a whole page can have many megabytes. @param width pixels, of the result */
export function pictureUrl({ url }: KeptAt, turn: Turn, width = WIDEST): string {
  const query = [`width=${Math.min(WIDEST, Math.max(NARROWEST, width))}`, ...turnIn(turn)];
  return `${url}?${query.join('&')}`;
}

/** Every pixel of its file, if the browser can show its format. */
export function wholeUrl({ mimeType, file }: Page, turn: Turn): string {
  if (!formats.has(mimeType)) return pictureUrl(file, turn);
  return turn === 0 ? file.url : `${file.url}?${turnIn(turn).join('')}`;
}

const turnIn = (turn: Turn): readonly string[] => (turn === 0 ? [] : [`rotate=${turn}`]);
