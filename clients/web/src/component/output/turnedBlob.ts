/** An image in this tab's memory, turned. */
import type { Turn } from '../../client/shapes.js';
import { turnedSize } from '../pages/pictures.js';

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
export function drawTurned(
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
