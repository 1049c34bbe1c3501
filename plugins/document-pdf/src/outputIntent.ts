/** The colours of the document: sRGB, with its profile (ISO 19005-2, 6.2.3). */
import { lateRequire } from '@platen/core/plugin';
import type sharpPackage from 'sharp';
import { deflated } from './deflated.js';
import type { PdfFile } from './pdfFile.js';
import { reference } from './syntax.js';

const sharp = lateRequire<typeof sharpPackage>('sharp', import.meta.url);

const CONDITION = 'sRGB';

let known: Promise<Buffer> | undefined;

/** The profile that sharp puts into files: 480 bytes, version 4.2. It is the same each time. */
async function profile(): Promise<Buffer> {
  const file = await sharp()({ create: { width: 1, height: 1, channels: 3, background: '#fff' } })
    .withIccProfile('srgb')
    .png()
    .toBuffer();
  const { icc } = await sharp()(file).metadata();
  if (!icc) throw new Error('sharp gives no sRGB profile');
  return deflated(icc);
}

/** @returns the catalog's entry, and what is to be written before it */
export async function outputIntent(file: PdfFile): Promise<{ readonly entry: string; readonly written: Buffer }> {
  const data = await (known ??= profile());
  const object = file.reserve();
  return {
    entry:
      `/OutputIntents [<< /Type /OutputIntent /S /GTS_PDFA1 /OutputConditionIdentifier (${CONDITION}) ` +
      `/Info (${CONDITION}) /DestOutputProfile ${reference(object)} >>]`,
    written: file.stream(object, '/N 3 /Filter /FlateDecode', data),
  };
}
