/** Enter on standard input: a person's, or a line feed that a program writes. */
import type { Readable } from 'node:stream';

export interface EnterKey {
  /** Whether Enter was pressed, or may still be: standard input has not ended without it. */
  isThere(): Promise<boolean>;
  /**
   * Waits for Enter. On a terminal, what was typed before this call does not count.
   * @returns false if standard input ends without it
   */
  pressed(): Promise<boolean>;
  /** Reads no further: the process may end. */
  close(): void;
}

interface Input extends Readable {
  readonly isTTY?: boolean;
  /** Pipes and terminals have it: they may stay silent. */
  unref?(): unknown;
}

/** Reads from this call on. */
export function enterKey(stdin: Input = process.stdin): EnterKey {
  let lines = 0;
  let isOver = false;
  let isRead = false;
  let tell = (): void => undefined;
  const onData = (data: Buffer | string): void => {
    isRead = true;
    lines += String(data).split('\n').length - 1;
    tell();
  };
  const onEnd = (): void => {
    [isRead, isOver] = [true, true];
    tell();
  };
  const ends = ['end', 'error', 'close'] as const;
  stdin.on('data', onData);
  for (const event of ends) stdin.on(event, onEnd);

  const until = async (isSo: () => boolean): Promise<void> => {
    while (!isSo()) await new Promise<void>(resolve => (tell = resolve));
  };
  return {
    async isThere() {
      // A file, or the null device, answers at once. A pipe or a terminal may stay silent.
      if (!stdin.unref) await until(() => isRead);
      return lines > 0 || !isOver;
    },
    async pressed() {
      if (stdin.isTTY) lines = 0;
      await until(() => lines > 0 || isOver);
      if (lines === 0) return false;
      lines -= 1;
      return true;
    },
    close() {
      stdin.off('data', onData);
      for (const event of ends) stdin.off(event, onEnd);
      stdin.pause();
      stdin.unref?.();
    },
  };
}
