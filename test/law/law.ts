/** What a law is, and how a file is judged by all of them. */
import type { Source } from './source.js';
import { lineAt } from './source.js';

/** The names that each package's package.json makes importable, its own among them; the root's are under ''. */
export type Manifests = ReadonlyMap<string, ReadonlySet<string>>;

export interface Law {
  readonly sentence: string;
  /** @returns the 1-based lines that break it */
  breaches(source: Source, manifests: Manifests): number[];
}

/** The two kinds of law: about imports, and about words in the code. */
export const breaches = {
  ofImports(forbidden: (source: Source, specifier: string, manifests: Manifests) => boolean): Law['breaches'] {
    return (source, manifests) => source.imports.filter(each => forbidden(source, each.specifier, manifests)).map(each => each.line);
  },

  /** @param pattern with the flag g */
  ofWords(applies: (path: string) => boolean, pattern: RegExp, text: (source: Source) => string = source => source.code): Law['breaches'] {
    return source => (applies(source.path) ? [...text(source).matchAll(pattern)].map(match => lineAt(source.code, match.index)) : []);
  },
};

/** @returns a line for each breach: `core/src/a.ts:12: core imports node: and ajv only` */
export function judge(source: Source, laws: readonly Law[], manifests: Manifests = new Map()): string[] {
  return laws.flatMap(law => law.breaches(source, manifests).map(line => `${source.path}:${line}: ${law.sentence}`));
}
