/** One file of pages, such as a PDF: whole, or an error. */
import { codeOfAnswer, PlatenError } from '../errors.js';
import { createLink } from '../transport/link.js';
import type { Ask, CallOptions, Service } from '../transport/ask.js';
import { bodyOf, failureOf, jsonOf, scanPath } from '../service.js';
import type { DocumentFacts, Turn } from '../shapes.js';

interface WriteOptions extends CallOptions {
  /** 1 to 500 characters. */
  readonly title?: string | undefined;
  /** true: every page gets its text, which is read now if the scan did not. Absent: pages whose text was read have it. */
  readonly searchable?: boolean | undefined;
  /** Puts the text of the barcodes into the metadata. */
  readonly barcodes?: boolean | undefined;
  /** Called with the number of bytes that arrived; it begins again when the document is asked for again. */
  readonly onProgress?: ((bytes: number) => void) | undefined;
}

export interface DocumentOptions extends WriteOptions {
  /**
   * Their numbers, in the wanted order; one may occur several times. Absent: all, without blank pages if the scan drops
   * them.
   */
  readonly pages?: readonly number[] | undefined;
  /** Turns every page, or each by its number: `{ 3: 90 }`. */
  readonly rotate?: Turn | Readonly<Record<number, Turn>> | undefined;
}

/** A page for a document of several scans. */
export interface WantedPage {
  /** The scan, or its id. */
  readonly scan: { readonly id: string } | string;
  /** Of the page in its scan, which must have it already. */
  readonly number: number;
  /** Turns it. */
  readonly rotate?: Turn | undefined;
}

/** Both sides of a stack that a one-sided feeder scanned: two scans that are over, with equally many pages. */
export interface Interleave {
  /** The scan, or its id. */
  readonly fronts: { readonly id: string } | string;
  readonly backs: { readonly id: string } | string;
  /** reversed, if absent: the last sheet came first, as when the whole stack is turned over. */
  readonly backsOrder?: 'reversed' | 'same' | undefined;
}

export interface PagesDocumentOptions extends WriteOptions {
  /** Its extension: `pdf` if absent, `tif`, or one of a plugin. */
  readonly format?: string | undefined;
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

const idOf = (scan: WantedPage['scan']): string => (typeof scan === 'string' ? scan : scan.id);

/** @param wanted 1 to 20,000 pages, of which one may occur several times; or the fronts and backs of a stack */
export async function fetchPagesDocument(
  service: Service,
  wanted: readonly WantedPage[] | Interleave,
  { format, title, searchable, barcodes, ...options }: PagesDocumentOptions = {},
): Promise<Blob> {
  const numbers = new Map<string, Set<number> | undefined>();
  const chosen = (): object => {
    if ('fronts' in wanted) {
      const ids = { fronts: idOf(wanted.fronts), backs: idOf(wanted.backs) };
      for (const id of Object.values(ids)) numbers.set(id, undefined);
      return { interleave: { ...wanted, ...ids } };
    }
    const pages = wanted.map(({ scan, number: page, rotate }) => {
      const id = idOf(scan);
      numbers.set(id, (numbers.get(id) ?? new Set()).add(page));
      return { scan: id, page, rotate };
    });
    return { pages };
  };
  const body = { format, title, searchable, barcodes, ...chosen() };
  return fetchWhole(service, '/api/documents', { method: 'POST', body }, numbers, options);
}

/** Numbers of pages, by the id of their scan; undefined: all. */
type PagesByScan = ReadonlyMap<string, ReadonlySet<number> | undefined>;

/** @param wanted to say which of them is damaged */
export async function fetchWhole(
  service: Service,
  address: string,
  ask: Ask,
  wanted: PagesByScan,
  { signal, onProgress }: WriteOptions,
): Promise<Blob> {
  let broken = 0;
  /** The service ends a document only if it is whole; for any failure in the middle, it closes the connection. */
  const whyBroken = async (cause: unknown): Promise<unknown> => {
    const damage = await damageOf(service, wanted, signal);
    if (damage === undefined && ++broken < MOST_BROKEN) return cause;
    const message = damage ?? 'The scanning service could not write the document. Its log says why.';
    return new PlatenError(damage === undefined ? 'internal' : 'storage-failed', message, { cause });
  };
  return createLink().hold(async () => {
    const response = await service.ask(address, { ...ask, signal });
    // The service may not have noticed yet that the last connection is lost.
    if (broken > 0 && codeOfAnswer(response) === 'too-many-streams') return 'lost';
    if (!response.ok) throw failureOf(response, await jsonOf(response, signal));
    try {
      return await bodyOf(response, signal, () => counted(response, onProgress).blob());
    } catch (error) {
      throw signal?.aborted ? error : await whyBroken(error);
    }
  }, signal);
}

/** What is wrong with the first of these pages that is damaged. */
async function damageOf(
  service: Service,
  wanted: PagesByScan,
  signal: AbortSignal | undefined,
): Promise<string | undefined> {
  for (const [id, numbers] of wanted) {
    const { pages } = await service.json<Checked>(scanPath(id), { signal });
    const damaged = pages.find(({ number, error }) => error !== undefined && (numbers?.has(number) ?? true));
    if (damaged) return damaged.error;
  }
  return undefined;
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
