/** Tesseract's `tessdata` folder for the program: all languages unpacked in one folder, made once. */
import { createHash, randomUUID } from 'node:crypto';
import { createReadStream, createWriteStream } from 'node:fs';
import { mkdir, open, rename, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { createGunzip } from 'node:zlib';
import { dataFile, type LanguageData } from './languages.js';

/**
 * Each set of languages and versions has its own folder.
 * @param within the plugin's own folder; it is created
 * @returns the name of the folder in it
 */
export async function unpackTessdata(languages: readonly LanguageData[], within: string): Promise<string> {
  const origins = languages.map(each => each.origin).sort();
  const name = `data-${createHash('sha256').update(origins.join('\n')).digest('hex').slice(0, 12)}`;
  const folder = join(within, name);
  await mkdir(folder, { recursive: true });
  await Promise.all(languages.map(each => unpack(each, folder)));
  return name;
}

/** The file gets its name when it is complete. */
async function unpack(language: LanguageData, folder: string): Promise<void> {
  const packed = dataFile(language);
  const file = join(folder, `${language.code}.traineddata`);
  const existing = await stat(file).catch(() => undefined);
  if (existing?.size === (await unpackedSize(packed))) return;
  const part = `${file}.${randomUUID()}.part`;
  try {
    await pipeline(createReadStream(packed), createGunzip(), createWriteStream(part));
    await rename(part, file);
  } finally {
    await rm(part, { force: true });
  }
}

/** The last four bytes of a gzip file, RFC 1952, 2.3.1. */
async function unpackedSize(packed: string): Promise<number> {
  const file = await open(packed);
  try {
    const { size } = await file.stat();
    const { buffer } = await file.read(Buffer.alloc(4), 0, 4, Math.max(0, size - 4));
    return buffer.readUInt32LE(0);
  } finally {
    await file.close();
  }
}
