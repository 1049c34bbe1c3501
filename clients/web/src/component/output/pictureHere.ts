/** Pictures from bytes in this tab, where a browser cannot load them itself. */

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

/** Gives the canvas the picture's size. @param signal once it is aborted, nothing is drawn @throws if it cannot be read */
export async function draw(canvas: HTMLCanvasElement, blob: Blob, signal: AbortSignal): Promise<void> {
  const bitmap = await createImageBitmap(blob);
  if (signal.aborted) return bitmap.close();
  canvas.width = bitmap.width;
  canvas.height = bitmap.height;
  shownIn(canvas)?.transferFromImageBitmap(bitmap);
}
