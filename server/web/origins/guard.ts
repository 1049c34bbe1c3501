/**
 * Counts a press only if the person could see for some time what they press. A web page that sends a person here in the
 * middle of a double click, or while they hold a key, gets no answer by it.
 */

/** As long as browsers ignore presses on their own permission prompts, and somewhat more. */
export const SETTLE_MS = 700;

export interface Guard {
  /** Something under the pointer or the focus changed: the time begins again. */
  restart(): void;
  /** Milliseconds until presses count; 0: they count; undefined: the page is not seen. */
  remaining(): number | undefined;
  /** A key or a button of the pointer went down. @param isRepeat the key has been held */
  down(isRepeat: boolean): void;
  /** It went up, and what it does is done. */
  up(): void;
  /** Whether the press that arrives now counts. */
  counts(): boolean;
}

export interface GuardParts {
  /** Milliseconds. */
  now(): number;
  /** Whether the page is visible and has the focus. */
  isSeen(): boolean;
}

export function createGuard({ now, isSeen }: GuardParts): Guard {
  let since = now();
  let isEarly = false;
  const remaining = (): number | undefined => (isSeen() ? Math.max(0, since + SETTLE_MS - now()) : undefined);
  const restart = (): void => {
    since = now();
  };
  return {
    restart,
    remaining,
    down(isRepeat) {
      isEarly = isRepeat || remaining() !== 0;
      // Somebody who presses again and again does not read.
      if (isEarly) restart();
    },
    up() {
      isEarly = false;
    },
    counts: () => !isEarly && remaining() === 0,
  };
}
