/** The blocks of a guide that are followed: commands, changes of files, files. */
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

export interface Step {
  /** The heading above it. */
  readonly under: string;
  readonly language: string;
  /** After the language: who types the commands, or the file that is changed. Empty: the block is not followed. */
  readonly what: string;
  readonly text: string;
}

export async function readSteps(guide: string): Promise<Step[]> {
  const page = await readFile(new URL(`../../../docs/${guide}`, import.meta.url), 'utf8');
  let under = '';
  return [...page.matchAll(/^## (.*)$|^```(\w+) ?(.*)\n([^]*?)^```$/gm)].flatMap(
    ([, heading, language = '', what = '', text = '']) => {
      under = heading ?? under;
      return heading === undefined ? [{ under, language, what, text }] : [];
    },
  );
}

export const linesOf = ({ text }: Step): string[] => text.split('\n').filter(line => line !== '');

/** Does what a diff says. @throws Error if the file does not have its old lines exactly once, also within lines */
export async function change(folder: string, { what, text }: Step): Promise<void> {
  const file = join(folder, what);
  const lines = text.split('\n').filter(line => line !== '');
  const side = (sign: string): string =>
    lines
      .filter(line => line[0] !== sign)
      .map(line => line.slice(1).trimEnd())
      .join('\n');
  const [before, after] = [side('+'), side('-')];
  const parts = (await readFile(file, 'utf8')).split(before);
  if (parts.length !== 2) throw new Error(`${what} has this ${parts.length - 1} times, and not once:\n${before}`);
  await writeFile(file, parts.join(after));
}
