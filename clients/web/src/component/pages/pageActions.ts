/** What a person does with pages: done, said, and the focus put on the right thumbnail. */
import type { Context } from '../context.js';
import type { Sheet } from './page.js';
import type { Stack } from './stack.js';

export interface ActionParts {
  readonly context: Context;
  readonly stack: Stack;
  onRemove(sheets: readonly Sheet[]): void;
}

export const thumbId = ({ id }: Sheet): string => `thumb-${id}`;

/** What every key, button and drag of a page acts on: the marked ones if it is one of them; otherwise itself. */
export const targetsOf = ({ marked }: Stack, sheet: Sheet): readonly Sheet[] =>
  marked.includes(sheet) ? marked : [sheet];

/** The place of the first of these, from 1, if they move so far. Undefined if they are there already. */
export function placeBeside({ all, numberOf }: Stack, sheets: readonly Sheet[], by: number): number | undefined {
  const numbers = sheets.map(numberOf);
  const [first = 0] = numbers;
  const place = Math.min(all.length - sheets.length + 1, Math.max(1, first + by));
  return numbers.every((number, at) => number === place + at) ? undefined : place;
}

/** @param to its new place, from 1 */
export function movePages({ context, stack }: ActionParts, sheets: readonly Sheet[], to: number): void {
  const [first] = sheets;
  const before = stack.history.now;
  const number = first ? stack.numberOf(first) : 0;
  stack.move(sheets, to);
  if (!first || stack.history.now === before) return;
  const { words } = context;
  const place = stack.numberOf(first);
  context.announce(
    sheets.length === 1
      ? words('pages.moved', { number, place })
      : words('pages.moved-several', { count: sheets.length, place }),
  );
}

/** @param by 90: right */
export function turnPages({ context, stack }: ActionParts, sheets: readonly Sheet[], by: 90 | 270): void {
  const [first] = sheets;
  if (!first) return;
  stack.turn(sheets, by);
  const { words } = context;
  const way = by === 90 ? 'right' : 'left';
  context.announce(
    sheets.length === 1
      ? words(`pages.turned-${way}`, { number: stack.numberOf(first) })
      : words(`pages.turned-several-${way}`, { count: sheets.length }),
  );
}

export function removePages({ context, stack, onRemove }: ActionParts, sheets: readonly Sheet[]): void {
  const [first] = sheets;
  if (!first) return;
  const { words } = context;
  const said =
    sheets.length === 1
      ? words('pages.removed', { number: stack.numberOf(first) })
      : words('pages.removed-several', { count: sheets.length });
  onRemove(sheets);
  context.announce(said);
}

/** @param how like `Stack.mark` */
export function markPages({ context, stack }: ActionParts, sheet: Sheet, how: 'toggle' | 'to' | 'only'): void {
  stack.mark(sheet, how);
  sayMarked({ context, stack });
}

export function markAll({ context, stack }: ActionParts): void {
  const [first, last, { chosen }] = [stack.all[0], stack.all.at(-1), stack];
  if (!first || !last) return;
  stack.mark(first, 'only');
  stack.mark(last, 'to');
  if (chosen) stack.choose(chosen);
  sayMarked({ context, stack });
}

export function unmarkPages({ context, stack }: ActionParts): void {
  stack.markNone();
  sayMarked({ context, stack });
}

function sayMarked({ context, stack }: Pick<ActionParts, 'context' | 'stack'>): void {
  const { words } = context;
  const count = stack.marked.length;
  context.announce(count === 0 ? words('pages.marked-none') : words('pages.marked', { count }));
}

/** On its thumbnail. */
export function focusChosen({ context, stack }: Pick<ActionParts, 'context' | 'stack'>): void {
  if (stack.chosen) context.focus(thumbId(stack.chosen));
}
