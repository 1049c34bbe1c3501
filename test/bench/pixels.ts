/** Whether two programs made the same pictures: a side that makes others is not faster. */
import { join } from 'node:path';
import sharp from 'sharp';

/**
 * @param ours a folder with pages, each named by its number
 * @param theirs another one
 * @param most levels of 255 by which their samples may differ on average; 0 if absent: every sample is equal
 * @throws unless each page has the same size and pixels in both
 */
export async function assertAlike(ours: string, theirs: string, pages: number, most = 0): Promise<void> {
  for (let page = 1; page <= pages; page++) {
    const [one, other] = [await samplesOf(join(ours, `${page}`)), await samplesOf(join(theirs, `${page}`))];
    if (one.size !== other.size) throw new Error(`Page ${page} is ${one.size}, the other program's ${other.size}.`);
    const apart = differenceOf(one.samples, other.samples);
    if (apart > most)
      throw new Error(`Page ${page}: samples differ by ${apart.toFixed(3)} on average, ${most} allowed.`);
  }
}

async function samplesOf(file: string): Promise<{ readonly size: string; readonly samples: Buffer }> {
  const { data, info } = await sharp(file, { failOn: 'warning' }).raw().toBuffer({ resolveWithObject: true });
  return { size: `${info.width} × ${info.height}, ${info.channels} channels`, samples: data };
}

/** The mean of the samples' differences. */
export function differenceOf(one: Uint8Array, other: Uint8Array): number {
  if (Buffer.compare(one, other) === 0) return 0;
  let sum = 0;
  for (let at = 0; at < one.length; at++) sum += Math.abs((one[at] ?? 0) - (other[at] ?? 0));
  return sum / one.length;
}
