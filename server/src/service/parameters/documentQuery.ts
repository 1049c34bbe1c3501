/** What a request for a document wants: its format, pages and turns, from the query of its address. */
import {
  InvalidValue,
  turns as allTurns,
  type DocumentFormat,
  type DocumentWishes,
  type PagesOfScan,
  type Registry,
  type Turn,
} from '@platen/core';

/** The format if the request names none. */
export const DEFAULT_FORMAT = 'pdf';
/** Pages of a document whose pages are listed. */
export const MOST_PAGES = 20_000;
export const MOST_TITLE = 500;

export interface DocumentQuery {
  readonly format: DocumentFormat;
  readonly pages: PagesOfScan;
  readonly wishes: DocumentWishes;
}

/**
 * @param query values by name; several values of one name are a list
 * @param formats the loaded ones
 * @throws `InvalidValue`
 */
export function documentQueryOf(
  query: Readonly<Record<string, unknown>>,
  formats: readonly DocumentFormat[],
  whyNot?: Registry['whyNot'],
): DocumentQuery {
  const [format, pages, title] = [
    formatOf(textOf(query, 'format'), formats, whyNot),
    pagesOf(textOf(query, 'pages')),
    titleOf(textOf(query, 'title')),
  ];
  const turns = turnsOf(textOf(query, 'rotate'));
  const searchable = flagOf(query, 'searchable');
  return {
    format,
    pages: { ...(pages ? { pages } : {}), turns },
    wishes: {
      ...(title === undefined ? {} : { title }),
      ...(searchable === undefined ? {} : { searchable }),
      barcodes: flagOf(query, 'barcodes') ?? false,
    },
  };
}

/** @throws `InvalidValue` if it is given several times */
export function textOf(query: Readonly<Record<string, unknown>>, name: string): string | undefined {
  const value = query[name];
  if (value === undefined || typeof value === 'string') return value;
  throw new InvalidValue(name, 'a single value');
}

/** @param name its extension or an alias, in any letter case. @throws `InvalidValue` if none is loaded for it */
export function formatOf(
  given: string | undefined,
  formats: readonly DocumentFormat[],
  whyNot?: Registry['whyNot'],
): DocumentFormat {
  const name = given ?? DEFAULT_FORMAT;
  const names = formats.map(({ extension, aliases = [] }) => [extension, ...aliases].map(each => each.toLowerCase()));
  const format = formats[names.findIndex(own => own.includes(name.toLowerCase()))];
  if (format) return format;
  const allowed = names.flat();
  const withheld = whyNot?.('document', name);
  const absent = given === undefined ? `: its default, ${DEFAULT_FORMAT}, is not loaded` : '';
  const why = withheld === undefined ? absent : `: ${withheld}`;
  const accepts =
    allowed.length > 0
      ? `one of ${allowed.join(', ')}${why}`
      : `nothing: ${withheld ?? 'no loaded plugin writes documents'}`;
  throw new InvalidValue('format', accepts, allowed);
}

/** Counts before it lists them. */
function pagesOf(text: string | undefined): readonly number[] | undefined {
  if (text === undefined) return undefined;
  const ranges = text.split(',').map(rangeOf);
  const count = ranges.reduce((sum, [from, to]) => sum + to - from + 1, 0);
  if (count > MOST_PAGES) throw new InvalidValue('pages', `at most ${MOST_PAGES} pages, not ${count}`);
  return ranges.flatMap(([from, to]) => Array.from({ length: to - from + 1 }, (_, at) => from + at));
}

function rangeOf(text: string): readonly [from: number, to: number] {
  const [, first, last = first] = /^([1-9]\d{0,8})(?:-([1-9]\d{0,8}))?$/.exec(text) ?? [];
  const range = [Number(first), Number(last)] as const;
  if (range[0] <= range[1]) return range;
  throw new InvalidValue('pages', 'numbers of pages and ascending ranges of them, separated by commas: 1,4-6,2');
}

/** The parameter `pages` for these: `1-3,7`. @param pages ascending */
export function rangesOf(pages: readonly number[]): string {
  const ranges: [first: number, last: number][] = [];
  for (const page of pages) {
    const range = ranges.at(-1);
    if (range?.[1] === page - 1) range[1] = page;
    else ranges.push([page, page]);
  }
  return ranges.map(([first, last]) => (first === last ? `${first}` : `${first}-${last}`)).join();
}

/**
 * Degrees by the page's number.
 * @param field of the request
 * @throws `InvalidValue`
 */
export function turnsOf(text: string | undefined, field = 'rotate'): Pick<ReadonlyMap<number, Turn>, 'get'> {
  const each = new Map<number, Turn>();
  let all: Turn | undefined;
  for (const part of text?.split(',') ?? []) {
    const [, page = '', degrees] = /^(all|[1-9]\d{0,8}):(\d{1,3})$/i.exec(part) ?? [];
    const turn = allTurns.find(known => String(known) === degrees);
    if (turn === undefined || each.has(Number(page)) || (all !== undefined && Number.isNaN(Number(page))))
      throw new InvalidValue(
        field,
        'a page and its degrees (0, 90, 180 or 270), each page once: 3:90,4:180, or all:90',
      );
    if (Number.isNaN(Number(page))) all = turn;
    else each.set(Number(page), turn);
  }
  return { get: number => each.get(number) ?? all };
}

/** @throws `InvalidValue` */
export function titleOf(text: string | undefined): string | undefined {
  if (text === undefined) return undefined;
  const { length } = [...text];
  if (length >= 1 && length <= MOST_TITLE && !/\p{Cc}/u.test(text)) return text;
  throw new InvalidValue('title', `1 to ${MOST_TITLE} characters, without control characters`);
}

/** @throws `InvalidValue` if it is neither true nor false */
export function flagOf(query: Readonly<Record<string, unknown>>, name: string): boolean | undefined {
  const text = textOf(query, name)?.toLowerCase();
  if (text === undefined) return undefined;
  if (text === 'true' || text === 'false') return text === 'true';
  throw new InvalidValue(name, 'true or false', ['true', 'false']);
}
