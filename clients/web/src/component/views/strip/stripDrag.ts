/** Pages are dragged to their place in the strip; a line shows where they will be. */
import type { Sheet } from '../../pages/page.js';
import { focusChosen, movePages, targetsOf, type ActionParts } from '../../pages/pageActions.js';
import type { Stack } from '../../pages/stack.js';

export interface DragHandlers {
  onStart(event: DragEvent): void;
  onOver(event: DragEvent): void;
  onLeave(event: DragEvent): void;
  onDrop(event: DragEvent): void;
  onEnd(event: DragEvent): void;
}

/** What is dragged, by stack. */
const dragged = new WeakMap<Stack, readonly Sheet[]>();

/** Of the item of a page. */
export function dragHandlers(parts: ActionParts, sheet: Sheet): DragHandlers {
  const { stack, context } = parts;
  const side = ({ clientX, currentTarget }: DragEvent): 'before' | 'after' => {
    const { left, width } = (currentTarget as Element).getBoundingClientRect();
    return clientX < left + width / 2 === (context.words.direction === 'ltr') ? 'before' : 'after';
  };
  const mark = ({ currentTarget }: DragEvent, where: string): void => {
    (currentTarget as HTMLElement).dataset['drop'] = where;
  };
  return {
    onStart(event) {
      dragged.set(stack, targetsOf(stack, sheet));
      // Firefox drags nothing without data. No application takes this type.
      event.dataTransfer?.setData('application/x-platen-pages', '');
      if (event.dataTransfer) event.dataTransfer.effectAllowed = 'move';
    },
    onOver(event) {
      if (!dragged.has(stack)) return;
      event.preventDefault();
      mark(event, side(event));
    },
    onLeave: event => mark(event, ''),
    onDrop(event) {
      const sheets = dragged.get(stack);
      mark(event, '');
      if (!sheets) return;
      event.preventDefault();
      event.stopPropagation();
      const at = stack.all.indexOf(sheet) + (side(event) === 'after' ? 1 : 0);
      const before = stack.all.slice(0, at).filter(each => !sheets.includes(each));
      const [first] = sheets;
      if (first && stack.chosen && !sheets.includes(stack.chosen)) stack.choose(first);
      movePages(parts, sheets, before.length + 1);
      focusChosen(parts);
    },
    onEnd: () => void dragged.delete(stack),
  };
}
