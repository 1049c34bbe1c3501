/** What the views of the pages share. */
import type { Context } from '../context.js';
import type { Sheet } from '../pages/page.js';
import type { Stack } from '../pages/stack.js';

/** An action that is absent is not offered. */
export interface PagesParts {
  readonly context: Context;
  readonly stack: Stack;
  /** Opens the viewer with the selected page. */
  onOpen(): void | Promise<void>;
  readonly onSave?: ((sheets: readonly Sheet[]) => void) | undefined;
  readonly onPrint?: ((sheets: readonly Sheet[]) => void) | undefined;
  readonly onRescan?: ((sheet: Sheet) => void) | undefined;
  onRemove(sheets: readonly Sheet[]): void;
}
