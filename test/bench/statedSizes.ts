/** What documents say of the size of the scripts that browsers load. `npm run bench -- --only browser` writes it. */
import { readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { gzipSync } from 'node:zlib';
import { componentScripts } from '../componentScripts.js';

interface Stated {
  /** Relative to the clone. */
  readonly file: string;
  /** Its one group is the number of kB. */
  readonly pattern: RegExp;
  readonly scripts: () => readonly Uint8Array[];
}

const clone = new URL('../../../', import.meta.url);
const client = (): Uint8Array[] => [
  readFileSync(new URL('build/client.js', import.meta.resolve('@platen/client/package.json'))),
];

const places: readonly Stated[] = [
  { file: 'docs/client.md', pattern: /one file of (\d+) kB \(gzipped\)/, scripts: client },
  { file: 'clients/web/README.md', pattern: /one file of (\d+) kB \(gzipped\)/, scripts: client },
  { file: 'docs/component.md', pattern: /loads (\d+) kB \(gzipped\)/, scripts: componentScripts },
];

/** Gzipped, in kB. */
export const kilobytes = (scripts: readonly Uint8Array[]): number =>
  scripts.reduce((sum, script) => sum + gzipSync(script).byteLength, 0) / 1000;

/** What each place says, and what is true. `said` is NaN where the sentence is gone. */
export function statedSizes(): { readonly file: string; readonly said: number; readonly is: number }[] {
  return places.map(({ file, pattern, scripts }) => ({
    file,
    said: Number(pattern.exec(readFileSync(new URL(file, clone), 'utf8'))?.[1] ?? NaN),
    is: kilobytes(scripts()),
  }));
}

export function writeSizes(): void {
  for (const { file, pattern, scripts } of places) {
    const path = fileURLToPath(new URL(file, clone));
    const written = readFileSync(path, 'utf8').replace(pattern, (sentence, number: string) =>
      sentence.replace(number, String(Math.round(kilobytes(scripts())))),
    );
    writeFileSync(path, written);
  }
}
