/** The part of a document that a program writes, between two comments. */
import { readFileSync, writeFileSync } from 'node:fs';

export interface Part {
  /** What is between the two comments. */
  read(): string;
  /** Replaces it. */
  write(text: string): void;
}

/** @param file has both comments, or `read` and `write` throw */
export function partOf(file: string, { begin, end }: { readonly begin: string; readonly end: string }): Part {
  function cut(): readonly [string, string, string] {
    const text = readFileSync(file, 'utf8');
    const [from, to] = [text.indexOf(begin), text.indexOf(end)];
    if (from < 0 || to < from) throw new Error(`${file} lacks the lines "${begin}" and "${end}".`);
    return [text.slice(0, from), text.slice(from + begin.length, to), text.slice(to + end.length)];
  }
  return {
    read: () => cut()[1],
    write(text) {
      const [before, , after] = cut();
      writeFileSync(file, `${before}${begin}\n\n${text}\n\n${end}${after}`);
    },
  };
}

/** `2026-11-23, Node 20.20.2, linux x64` */
export const runOn = (): string =>
  `${new Date().toISOString().slice(0, 10)}, Node ${process.version.slice(1)}, ${process.platform} ${process.arch}`;
