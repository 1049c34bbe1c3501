/** The keys of the strip. */
import type { Sheet } from '../../pages/page.js';
import {
  focusChosen,
  markAll,
  markPages,
  movePages,
  placeBeside,
  removePages,
  targetsOf,
  turnPages,
  unmarkPages,
  type ActionParts,
} from '../../pages/pageActions.js';

export type StripKey = Pick<KeyboardEvent, 'key' | 'altKey' | 'ctrlKey' | 'metaKey' | 'shiftKey'>;

/**
 * @param sheet whose thumbnail has the focus
 * @returns whether it is a key of the strip; then the browser must do nothing
 */
export function onStripKey(event: StripKey, sheet: Sheet, parts: ActionParts): boolean {
  const action = byPlace(event, sheet, parts) ?? byKey(event, sheet, parts);
  if (!action) return false;
  // It can have the focus, and another one be selected: pages arrived.
  if (parts.stack.chosen !== sheet) parts.stack.choose(sheet);
  action();
  return true;
}

type Action = () => void;

/** Arrow keys, Home and End: select, mark up to there, or move. */
function byPlace(event: StripKey, sheet: Sheet, parts: ActionParts): Action | undefined {
  const { key, altKey, ctrlKey, metaKey, shiftKey } = event;
  const { stack, context } = parts;
  const [next, previous] =
    context.words.direction === 'rtl' ? ['ArrowLeft', 'ArrowRight'] : ['ArrowRight', 'ArrowLeft'];
  const to = { [next]: 1, [previous]: -1, Home: -Infinity, End: Infinity }[key];
  if (to === undefined || ctrlKey || metaKey) return undefined;
  if (altKey) {
    const moved = targetsOf(stack, sheet);
    const place = placeBeside(stack, moved, to);
    return () => {
      if (place !== undefined) movePages(parts, moved, place);
      focusChosen(parts);
    };
  }
  const at = Math.min(stack.all.length, Math.max(1, stack.numberOf(sheet) + to));
  const other = stack.all[at - 1] ?? sheet;
  return () => {
    if (shiftKey) markPages(parts, other, 'to');
    else stack.choose(other);
    focusChosen(parts);
  };
}

function byKey(event: StripKey, sheet: Sheet, parts: ActionParts): Action | undefined {
  const { key, altKey, shiftKey } = event;
  const command = event.ctrlKey || event.metaKey;
  const { stack } = parts;
  if (altKey) return undefined;
  if (command) {
    if (key === ' ') return () => markPages(parts, sheet, 'toggle');
    return key === 'a' ? () => markAll(parts) : undefined;
  }
  if (key === 'Delete' || key === 'Backspace')
    return () => {
      removePages(parts, targetsOf(stack, sheet));
      focusChosen(parts);
    };
  if (key === 'r' || key === 'R') return () => turnPages(parts, targetsOf(stack, sheet), shiftKey ? 270 : 90);
  return key === 'Escape' && stack.marked.length > 0 ? () => unmarkPages(parts) : undefined;
}
