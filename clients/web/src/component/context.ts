/** What every part of one component shares. */
import type { Calls } from './calls.js';
import type { Memory } from './memory.js';
import type { Words } from './words/words.js';

export interface Context {
  readonly client: Calls;
  /** In the current language: read it at each use. */
  readonly words: Words;
  readonly memory: Memory;
  /** Something that is shown has changed: everything is drawn soon. */
  changed(): void;
  /** Said by screen readers. */
  announce(sentence: string): void;
  /** Moves the focus to the element with this id once it is drawn, without scrolling. */
  focus(id: string): void;
}
