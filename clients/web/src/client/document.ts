/** One file of a scan's pages, such as a PDF: whole, or an error. */
import { isTooMany, PlatenError } from './errors.js';
import { createLink } from './link.js';
import { bodyOf, failureOf, jsonOf, type CallOptions, type Service } from './service.js';
import type { DocumentFacts, Turn } from './shapes.js';

export interface DocumentOptions extends CallOptions {
  /**
   * Their numbers, in the wanted order; one may occur several times. Absent: all, without blank pages if the scan drops
   * them.
   */
  readonly pages?: readonly number[] | undefined;
  /** Turns every page, or each by its number: `{ 3: 90 }`. */
  readonly rotate?: Turn | Readonly<Record<number, Turn>> | undefined;
  /** 1 to 500 characters. */
  readonly title?: string | undefined;
  /** true: every page gets its text, which is read now if the scan did not. Absent: pages whose text was read have it. */
  readonly searchable?: boolean | undefined;
  /** Puts the text of the barcodes into the metadata. */
  readonly barcodes?: boolean | undefined;
  /** Called with the number of bytes that arrived; it begins again when the document is asked for again. */
  readonly onProgress?: ((bytes: number) => void) | undefined;
}

/** A document of a scan that is separated into several. */
export interface SeparatedDocument extends DocumentFacts {
  /** Like the scan's, with this document's pages. */
  document(format?: string, options?: Omit<DocumentOptions, 'pages'>): Promise<Blob>;
}

/** How often the service may break off the same document: then it cannot write it. */
const MOST_BROKEN = 3;

/** The part of a scan that says which of its pages are damaged. */
interface Checked {
  readonly pages: readonly { readonly number: number; readonly error?: string }[];
}

/** @param path of the scan */
export async function fetchDocument(
  service: Service,
  path: string,
  format: string,
  options: DocumentOptions,
): Promise<Blob> {
  const { signal, onProgress, pages: wanted } = options;
  const address = `${path}/document?${queryOf(format, options)}`;
  let broken = 0;
  /** The service ends a document only if it is whole; for any failure in the middle, it closes the connection. */
  const whyBroken = async (cause: unknown): Promise<unknown> => {
    const { pages } = await service.json<Checked>(path, { signal });
    const damaged = pages.find(({ number, error }) => error !== undefined && (wanted?.includes(number) ?? true));
    if (!damaged && ++broken < MOST_BROKEN) return cause;
    const message = damaged?.error ?? 'The scanning service could not write the document. Its log says why.';
    return new PlatenError('failed', message, { cause });
  };
  return createLink().hold(async () => {
    const response = await service.ask(address, { signal });
    // The service may not have noticed yet that the last connection is lost.
    if (broken > 0 && isTooMany(response.status)) return 'lost';
    if (!response.ok) throw failureOf(response, await jsonOf(response, signal));
    try {
      return await bodyOf(response, signal, () => counted(response, onProgress).blob());
    } catch (error) {
      throw signal?.aborted ? error : await whyBroken(error);
    }
  }, signal);
}

/** Not collected here: a browser may keep a large Blob on disk. */
function counted(response: Response, onProgress: DocumentOptions['onProgress']): Response {
  if (!onProgress || !response.body) return response;
  let bytes = 0;
  const counter = new TransformStream<Uint8Array, Uint8Array>({
    transform(chunk, controller) {
      onProgress((bytes += chunk.length));
      controller.enqueue(chunk);
    },
  });
  return new Response(response.body.pipeThrough(counter), response);
}

/** Characters: with its headers, the service takes 16 KB of a request. */
const LONGEST_QUERY = 12_000;

/** @throws `refused` if it is too long */
function queryOf(format: string, { pages, rotate, title, searchable, barcodes }: DocumentOptions): string {
  const turns = typeof rotate === 'object' ? Object.entries(rotate) : [['all', rotate ?? 0]];
  const rotated = turns.filter(([, turn]) => turn !== 0).map(turn => turn.join(':'));
  const fields = {
    format,
    pages: pages && rangesOf(pages),
    rotate: rotated.length > 0 ? rotated.join() : undefined,
    title,
    searchable,
    barcodes,
  };
  const given = Object.entries(fields).filter(([, value]) => value !== undefined);
  const query = String(new URLSearchParams(given.map(([name, value]) => [name, String(value)])));
  // Commas need no escape, and a list has many.
  const short = query.replaceAll('%2C', ',');
  if (short.length <= LONGEST_QUERY) return short;
  throw new PlatenError('refused', 'Too many single pages for one document: list them in ascending order, or fewer.');
}

/** `1-3,7`: an address with the number of every page of a stack would be too long. */
export function rangesOf(pages: readonly number[]): string {
  const ranges: [number, number][] = [];
  for (const page of pages) {
    const last = ranges.at(-1);
    if (last && page === last[1] + 1) last[1] = page;
    else ranges.push([page, page]);
  }
  return ranges.map(([from, to]) => (from === to ? from : `${from}-${to}`)).join();
}
