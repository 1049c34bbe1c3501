/** The keys of `platen dev` on a terminal. */
export const devKeys = ['c', 's', 'r', 'q'] as const;
export type DevKey = (typeof devKeys)[number];

export const keysHelp = 'Keys: c runs the suite, s scans one page, r restarts, q quits.';

export interface Keys {
  /** Calls for each key; Ctrl-C and Ctrl-D quit. */
  listen(press: (key: DevKey) => void): void;
  close(): void;
}

/** @returns undefined if standard input is no terminal */
export function terminalKeys(stdin: NodeJS.ReadStream = process.stdin): Keys | undefined {
  if (!stdin.isTTY) return undefined;
  return {
    listen(press) {
      stdin.setRawMode(true).setEncoding('utf8').resume();
      stdin.on('data', (text: string | Buffer) => {
        for (const letter of String(text).toLowerCase()) {
          const key = letter === '\u0003' || letter === '\u0004' ? 'q' : letter;
          if ((devKeys as readonly string[]).includes(key)) press(key as DevKey);
        }
      });
    },
    close() {
      stdin.setRawMode(false).pause();
      stdin.removeAllListeners('data');
    },
  };
}
