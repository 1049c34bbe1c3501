/** Pictures from bytes in this tab: of pages that the service does not keep, and where a browser cannot load them itself. */
import type { Turn } from '../../client/shapes.js';
import { turnedSize } from '../pages/pictures.js';

/** A picture could not be loaded. */
export class NotLoaded extends Error {}

/** @param pass browsers send none with an image @throws if it cannot be loaded */
export async function fetched(url: string, pass?: string | null, signal?: AbortSignal): Promise<Blob> {
  const headers: HeadersInit = pass ? { authorization: `Bearer ${pass}` } : {};
  const response = await fetch(url, { headers, signal: signal ?? null });
  if (!response.ok) throw new Error(`${url}: ${response.status}`);
  return response.blob();
}

/** Resolves once the browser has loaded it. @param source a URL, or the bytes @throws if it cannot be loaded */
export async function show(image: HTMLImageElement, source: string | Blob): Promise<void> {
  const url = typeof source === 'string' ? source : URL.createObjectURL(source);
  try {
    await new Promise((resolve, reject) => {
      image.addEventListener('load', resolve);
      image.addEventListener('error', reject);
      image.src = url;
    });
  } finally {
    // Does nothing to another URL.
    URL.revokeObjectURL(url);
  }
}

/** Of a canvas that shows a bitmap, without a copy of its pixels. */
const shownIn = (canvas: HTMLCanvasElement): ImageBitmapRenderingContext | null => canvas.getContext('bitmaprenderer');

/** Frees the pixels at once. */
export const clear = (canvas: HTMLCanvasElement): void => shownIn(canvas)?.transferFromImageBitmap(null);

export interface Drawing {
  readonly turn: Turn;
  /** Pixels, of the result; absent: all. */
  readonly width?: number;
  /** Once it is aborted, nothing is drawn. */
  readonly signal: AbortSignal;
}

/** Gives the canvas the picture's size. @throws if the browser cannot read the picture */
export async function draw(canvas: HTMLCanvasElement, blob: Blob, { turn, width, signal }: Drawing): Promise<void> {
  const side = turn % 180 === 0 ? 'resizeWidth' : 'resizeHeight';
  const bitmap = await createImageBitmap(blob, width ? { [side]: width, resizeQuality: 'high' } : {});
  if (signal.aborted) return bitmap.close();
  const turned = turn === 0 ? bitmap : canvasOf(bitmap, turn).transferToImageBitmap();
  canvas.width = turned.width;
  canvas.height = turned.height;
  shownIn(canvas)?.transferFromImageBitmap(turned);
}

/** @returns the same bytes if it is not turned; otherwise of the same type if the browser writes it, or a PNG */
export async function turnedBlob(blob: Blob, turn: Turn): Promise<Blob> {
  if (turn === 0) return blob;
  return canvasOf(await createImageBitmap(blob), turn).convertToBlob({ type: blob.type, quality: QUALITY });
}

const QUALITY = 0.92;

/** Closes the bitmap. */
function canvasOf(bitmap: ImageBitmap, turn: Turn): OffscreenCanvas {
  try {
    const { width, height } = turnedSize(bitmap, turn);
    const canvas = new OffscreenCanvas(width, height);
    const context = canvas.getContext('2d');
    if (!context) throw new Error('This browser cannot turn pictures.');
    context.translate(width / 2, height / 2);
    context.rotate((turn * Math.PI) / 180);
    context.drawImage(bitmap, -bitmap.width / 2, -bitmap.height / 2);
    return canvas;
  } finally {
    bitmap.close();
  }
}
