/** Pictures from bytes in this tab: of pages that the service does not keep, and where a browser cannot load them itself. */
import type { Turn } from '../../client/shapes.js';
import { turnedSize } from '../pages/pictures.js';

/** A picture could not be loaded. */
export class NotLoaded extends Error {}

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

/** @returns the same bytes if it is not turned; otherwise of the same type if the browser writes it, or a PNG */
export async function turnedBlob(blob: Blob, turn: Turn): Promise<Blob> {
  if (turn === 0) return blob;
  const bitmap = await createImageBitmap(blob);
  try {
    const { width, height } = turnedSize(bitmap, turn);
    const canvas = new OffscreenCanvas(width, height);
    const context = canvas.getContext('2d');
    if (!context) throw new Error('This browser cannot turn pictures.');
    drawTurned(context, bitmap, turn);
    return await canvas.convertToBlob({ type: blob.type, quality: QUALITY });
  } finally {
    bitmap.close();
  }
}

const QUALITY = 0.92;

/** Fills the canvas. */
function drawTurned(
  context: CanvasRenderingContext2D | OffscreenCanvasRenderingContext2D,
  bitmap: ImageBitmap,
  turn: Turn,
): void {
  const { width, height } = context.canvas;
  const own = turnedSize({ width, height }, turn);
  context.translate(width / 2, height / 2);
  context.rotate((turn * Math.PI) / 180);
  context.drawImage(bitmap, -own.width / 2, -own.height / 2, own.width, own.height);
}
