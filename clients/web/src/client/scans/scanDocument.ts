/** Documents of one scan. */
import { fetchPagesDocument, fetchWhole, type DocumentOptions, type SeparatedDocument } from './document.js';
import { PlatenError } from '../errors.js';
import { createLink } from '../transport/link.js';
import type { CallOptions, Service } from '../transport/ask.js';
import { scanPath } from '../service.js';
import type { DocumentFacts, ScanState, Turn } from '../shapes.js';

export interface ScanDocuments {
  document(format?: string, options?: DocumentOptions): Promise<Blob>;
  documents(options?: CallOptions): Promise<readonly SeparatedDocument[]>;
}

/**
 * @param id of the scan
 * @param state as it is known
 * @param heard takes a newer state of the scan
 */
export function documentsOf<Wire>(
  service: Service,
  id: string,
  state: () => ScanState,
  heard: (now: Wire) => void,
): ScanDocuments {
  const path = scanPath(id);
  /** How the scan ended: a document of a scan that failed does not say so. */
  const hearEnd = async (): Promise<void> => {
    if (state() !== 'running') return;
    const hear = async (): Promise<void> => heard(await service.json<Wire>(path));
    await createLink()
      .hold(hear)
      .catch(() => undefined);
  };
  const fetched = async (format = 'pdf', options: DocumentOptions = {}): Promise<Blob> => {
    try {
      const file = await fetchDocument(service, id, format, options);
      await hearEnd();
      return file;
    } catch (error) {
      if (error instanceof PlatenError && error.code === 'no-pages') await hearEnd();
      throw error;
    }
  };
  return {
    document: fetched,
    async documents(how = {}) {
      const { documents } = await createLink().hold(
        () => service.json<{ readonly documents: readonly DocumentFacts[] }>(`${path}/documents`, how),
        how.signal,
      );
      return documents.map(each => ({
        ...each,
        url: `${service.baseUrl}${each.url}`,
        document: (format, options) => fetched(format, { ...options, pages: each.pages }),
      }));
    },
  };
}

/** @param id of the scan */
async function fetchDocument(service: Service, id: string, format: string, options: DocumentOptions): Promise<Blob> {
  const { pages, rotate, ...others } = options;
  const query = queryOf(format, options);
  if (query.length <= LONGEST_QUERY)
    return fetchWhole(
      service,
      `${scanPath(id)}/document?${query}`,
      {},
      new Map([[id, pages && new Set(pages)]]),
      others,
    );
  if (!pages)
    throw new PlatenError('invalid-value', 'Too many turned pages for one document: list all its pages in `pages`.');
  const turnOf = (number: number): Turn | undefined => (typeof rotate === 'object' ? rotate[number] : rotate);
  const wanted = pages.map(number => ({ scan: id, number, rotate: turnOf(number) }));
  return fetchPagesDocument(service, wanted, { ...others, format });
}

/** Characters: with its headers, the service takes 16 KB of a request. */
const LONGEST_QUERY = 12_000;

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
  return query.replaceAll('%2C', ',');
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
