/** One file of pages of one scan. */
import { fetchPagesDocument, fetchWhole, type DocumentOptions } from './document.js';
import { PlatenError } from './errors.js';
import { scanPath, type Service } from './service.js';
import type { Turn } from './shapes.js';

/** @param id of the scan */
export async function fetchDocument(
  service: Service,
  id: string,
  format: string,
  options: DocumentOptions,
): Promise<Blob> {
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
    throw new PlatenError('refused', 'Too many turned pages for one document: list all its pages in `pages`.');
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
