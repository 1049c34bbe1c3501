/** Checks that a device's encoded image is complete and matches its page. Reads every byte: not for the event loop. */
import type { EncodedPage } from '../contract/page.js';
import { bufferOf, imageFacts, mimeTypeOf } from './imageFacts.js';
import { jpegFault } from './jpegData.js';
import { pngFault } from './png.js';
import { tiffFault } from './tiff.js';

/** What a page claims about its image. */
export interface ImageClaim extends Pick<EncodedPage, 'mimeType' | 'width' | 'height' | 'pixels' | 'data'> {
  /** A decoder will also check it. */
  readonly decoded?: boolean;
}

export interface ImageVerdict {
  /** The fault, without a full stop: `its JPEG is not a complete image: it ends too early` */
  readonly fault?: string;
  /** Only the frame was checked: only decoding can tell whether the data are sound. */
  readonly undecided?: true;
}

export async function imageFault(claim: ImageClaim): Promise<ImageVerdict> {
  const untrue = untrueClaim(claim);
  if (untrue !== undefined) return { fault: untrue };
  const { fault, unknown } = await dataFault(claim);
  if (fault !== undefined) return { fault: `its ${nameOf(claim.mimeType)} is not a complete image: ${fault}` };
  return unknown ? { undecided: true } : {};
}

/** How a page contradicts its image's header; undefined if they agree. Reads the header only. */
export function untrueClaim({ mimeType, width, height, pixels, data }: ImageClaim): string | undefined {
  const found = mimeTypeOf(bufferOf(data));
  if (!found) return 'its data do not start like a JPEG, PNG or TIFF file';
  if (found !== mimeType) return `its data are ${found}, the page says ${mimeType}`;
  const facts = imageFacts(data);
  if (!facts) return `its ${nameOf(mimeType)} is not a complete image: its header cannot be read`;
  if (facts.width !== width || facts.height !== height)
    return `the image is ${facts.width} by ${facts.height} pixels, the page says ${width} by ${height}`;
  if (facts.channels !== undefined && (pixels === 'rgb24') !== facts.channels >= 3)
    return `the image has ${facts.channels} channels, the page says ${pixels}`;
  return undefined;
}

/** `JPEG`, from `image/jpeg`. */
export function nameOf(mimeType: string): string {
  return mimeType.replace('image/', '').toUpperCase();
}

async function dataFault({
  mimeType,
  data,
  decoded,
}: ImageClaim): Promise<{ readonly fault?: string; readonly unknown?: true }> {
  const file = bufferOf(data);
  if (mimeType === 'image/jpeg') return jpegFault(file);
  if (mimeType === 'image/tiff') return tiffFault(file);
  const fault = await pngFault(file, decoded);
  return fault === undefined ? {} : { fault };
}
