/** A layout of pages: their order and their turns. The id of a page is `scan/number`. */
import type { Turn } from '../../client/shapes.js';

export interface Layout {
  /** Ids of sheets. */
  readonly order: readonly string[];
  /** By id; absent: not turned. */
  readonly turns: Readonly<Record<string, Turn>>;
}

/** Whether both show the same pages, in the same order and turned the same. */
export const isSameLayout = (one: Layout, other: Layout): boolean =>
  one.order.length === other.order.length && JSON.stringify(one) === JSON.stringify(other);

/** These pages alone, without turns of 0. */
export function withOnly({ turns }: Layout, order: readonly string[]): Layout {
  const turned = order.filter(id => turns[id]).map(id => [id, turns[id]]);
  return { order, turns: Object.fromEntries(turned) as Layout['turns'] };
}

/** Puts a page behind the earlier pages of its scan, or before the later ones; otherwise last. */
export function withPage({ order, turns }: Layout, id: string): Layout {
  const { scan, number } = partsOf(id);
  const at = order.findLastIndex(each => partsOf(each).scan === scan && partsOf(each).number < number);
  if (at >= 0) return { order: order.toSpliced(at + 1, 0, id), turns };
  const next = order.findIndex(each => partsOf(each).scan === scan);
  return { order: next < 0 ? [...order, id] : order.toSpliced(next, 0, id), turns };
}

/** Puts the pages of the other layout last, turned as they are there. */
export function withLayout({ order, turns }: Layout, other: Layout): Layout {
  const its = new Set(other.order);
  return { order: [...order.filter(id => !its.has(id)), ...other.order], turns: { ...turns, ...other.turns } };
}

export const withoutPages = (layout: Layout, isGone: (id: string) => boolean): Layout => ({
  ...layout,
  order: layout.order.filter(id => !isGone(id)),
});

/** Puts pages in the place of another; last if that one is not there. */
export function withReplaced({ order, turns }: Layout, old: string, by: readonly string[]): Layout {
  const own = new Set(by);
  const places = order.includes(old) ? order : [...order, old];
  return { order: places.flatMap(id => (id === old ? [...own] : own.has(id) ? [] : [id])), turns };
}

/**
 * @param moving in the order that they keep
 * @param to the new place of the first one, from 1, among those that are shown
 */
export function withMoved(
  { order, turns }: Layout,
  moving: readonly string[],
  to: number,
  isShown: (id: string) => boolean,
): Layout {
  const own = new Set(moving);
  const others = order.filter(id => !own.has(id));
  const next = others.filter(isShown)[Math.max(0, to - 1)];
  const at = next === undefined ? others.length : others.indexOf(next);
  return { order: others.toSpliced(at, 0, ...moving), turns };
}

/** @param by clockwise */
export function withTurned({ order, turns }: Layout, ids: readonly string[], by: 90 | 180 | 270): Layout {
  const turned = ids.map(id => [id, ((turns[id] ?? 0) + by) % 360] as const);
  return { order, turns: { ...turns, ...(Object.fromEntries(turned) as Layout['turns']) } };
}

function partsOf(id: string): { readonly scan: string; readonly number: number } {
  const at = id.lastIndexOf('/');
  return { scan: id.slice(0, at), number: Number(id.slice(at + 1)) };
}

/** The scan of a sheet's id. */
export const scanOf = (id: string): string => partsOf(id).scan;
/** The id of a page. */
export const sheetId = (scan: string, number: number): string => `${scan}/${number}`;
