/** Writes pages: the image of each one, what is drawn with it, and the page itself. */
import type { DocumentPage } from '@platen/core/plugin';
import { deflated } from './deflated.js';
import type { G4Encoder } from './g4/g4Encoder.js';
import { jpegImage } from './image/jpegImage.js';
import { type PageImage, pixelImage } from './image/pixelImage.js';
import { pngImage } from './image/pngImage.js';
import { pagePlace, type PagePlace } from './pagePlace.js';
import type { PageTree } from './pageTree.js';
import type { PdfFile } from './pdfFile.js';
import { number, reference, type ObjectNumber } from './syntax.js';
import type { TextLayer } from './text/layer.js';

/** Shorter content is as long when it is compressed. */
const SHORT_CONTENT = 128;

export interface PageWriter {
  /** The next request may overwrite a chunk. */
  write(page: DocumentPage, signal: AbortSignal): AsyncGenerator<Uint8Array, void>;
}

export function createPageWriter(file: PdfFile, tree: PageTree, text: TextLayer, g4: G4Encoder): PageWriter {
  /** By the number of the page: one that occurs several times has one image. */
  const images = new Map<number, ObjectNumber>();
  let begun = false;

  /**
   * Nothing is written before the image is opened: a first page that cannot be read leaves no file at all.
   * @returns what follows the data
   */
  async function* writeImage(page: DocumentPage, signal: AbortSignal): AsyncGenerator<Uint8Array, Buffer[]> {
    const { entries, length, data } = await pageImage(page, g4, signal);
    const header = begun ? [] : [file.header()];
    begun = true;
    const object = file.reserve();
    const later = length === undefined ? file.reserve() : undefined;
    const bytes = later === undefined ? String(length) : reference(later);
    const dictionary = `/Type /XObject /Subtype /Image /Width ${page.width} /Height ${page.height} ${entries}`;
    yield Buffer.concat([...header, file.openStream(object, `${dictionary} /Length ${bytes}`)]);
    let sum = 0;
    for await (const piece of data) {
      sum += piece.length;
      yield file.piece(piece);
    }
    if (length !== undefined && length !== sum)
      throw new RangeError(`the image of page ${page.pageNumber} has ${sum} bytes, not ${length}`);
    images.set(page.pageNumber, object);
    return [file.closeStream(), ...(later === undefined ? [] : [file.object(later, String(sum))])];
  }

  return {
    async *write(page, signal) {
      const image = images.has(page.pageNumber) ? [] : yield* writeImage(page, signal);
      const place = pagePlace(page);
      const words = text.content(page, place);
      const content = await contentStream(`${drawing(place)}${words ? `\n${words.operators}` : ''}`);
      const [contents, own] = [file.reserve(), file.reserve()];
      const { parent, written } = tree.add(own);
      const entries = [
        `/Type /Page /Parent ${reference(parent)} ${place.entries}`,
        ...(page.turn === 0 ? [] : [`/Rotate ${page.turn}`]),
        `/Contents ${reference(contents)}`,
        `/Resources << /XObject << /I ${reference(images.get(page.pageNumber)!)} >>${words ? ` /Font << ${words.fonts} >>` : ''} >>`,
      ];
      yield Buffer.concat([
        ...image,
        ...written,
        file.stream(contents, content.entries, content.data),
        file.object(own, `<< ${entries.join(' ')} >>`),
      ]);
    },
  };
}

/**
 * The image of a page, in the form that its file allows: as it is, or from its pixels. Nothing is left open if its data
 * are not read.
 * @throws `storage-failed` if the file is damaged, also after the last piece of data
 */
async function pageImage(page: DocumentPage, g4: G4Encoder, signal: AbortSignal): Promise<PageImage> {
  return (await fromFile(page)) ?? pixelImage(page, g4, signal);
}

async function fromFile(page: DocumentPage): Promise<PageImage | undefined> {
  if (page.mimeType === 'image/jpeg') return jpegImage(page);
  return page.mimeType === 'image/png' ? pngImage(page) : undefined;
}

/** The image in its place. */
function drawing({ width, height, bottom }: PagePlace): string {
  return `q ${number(width)} 0 0 ${number(height)} 0 ${number(bottom)} cm /I Do Q`;
}

async function contentStream(operators: string): Promise<{ readonly entries: string; readonly data: Buffer }> {
  const plain = Buffer.from(operators, 'latin1');
  if (plain.length < SHORT_CONTENT) return { entries: '', data: plain };
  return { entries: '/Filter /FlateDecode', data: await deflated(plain) };
}
