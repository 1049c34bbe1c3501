/** Pictures from bytes in this tab: of pages that the service does not keep, and where a browser cannot load them itself. */
import type { Turn } from '../../client/shapes.js';
import { drawTurned } from './turnedBlob.js';
import { turnedSize } from '../pages/pictures.js';

export { turnedBlob } from './turnedBlob.js';

/** @param pass browsers send none with an image @throws if it cannot be loaded */
export async function fetched(url: string, pass: string): Promise<Blob> {
  const response = await fetch(url, { headers: { authorization: `Bearer ${pass}` } });
  if (!response.ok) throw new Error(`${url}: ${response.status}`);
  return response.blob();
}

/** Revokes the Blob's URL once the browser has loaded it. */
export function show(image: HTMLImageElement, blob: Blob): void {
  const url = URL.createObjectURL(blob);
  for (const end of ['load', 'error']) image.addEventListener(end, () => URL.revokeObjectURL(url), { once: true });
  image.src = url;
}

export async function draw(canvas: HTMLCanvasElement, blob: Blob, turn: Turn): Promise<void> {
  const { width, height } = turnedSize(canvas, turn);
  const bitmap = await createImageBitmap(blob, { resizeWidth: width, resizeHeight: height, resizeQuality: 'high' });
  const context = canvas.getContext('2d');
  if (context) drawTurned(context, bitmap, turn);
  bitmap.close();
}
