/** The folder of kept scans, as a person finds it on disk. */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Fixture } from '../topology/topology.js';

export interface KeptFolder {
  readonly dir: string;
  /** Names of all files, sorted. */
  readonly files: readonly string[];
  /** `undefined` where there are no facts, or none that can be read. */
  readonly state: string | undefined;
  /** Numbers of pages whose image is there, perhaps in part. */
  readonly images: readonly number[];
  /** Numbers of pages that are there, with their facts. */
  readonly pages: readonly number[];
}

/** Every entry of the folder of scans. */
export function keptIds({ dataDir }: Pick<Fixture, 'dataDir'>): string[] {
  const scans = join(dataDir, 'scans');
  return existsSync(scans) ? readdirSync(scans).sort() : [];
}

export function keptFolder({ dataDir }: Pick<Fixture, 'dataDir'>, id: string): KeptFolder {
  const dir = join(dataDir, 'scans', id);
  const files = existsSync(dir) ? readdirSync(dir).sort() : [];
  const numbered = (pattern: RegExp): number[] =>
    files
      .flatMap(name => pattern.exec(name)?.[1] ?? [])
      .map(Number)
      .sort((a, b) => a - b);
  const facts = files.includes('facts.json') ? readFileSync(join(dir, 'facts.json'), 'utf8') : '';
  return {
    dir,
    files,
    state: /"state":"(\w+)"/.exec(facts)?.[1],
    images: numbered(/^(\d+)\.page$/),
    pages: numbered(/^(\d+)(?:\.sent)?\.json$/),
  };
}

/** What a scan of these pages has there: nothing else may be left. */
export function expectedFiles(pages: readonly number[]): string[] {
  return ['facts.json', ...pages.flatMap(n => [`${n}.page`, `${n}.json`])].sort();
}

/** The folder's files, whether or not their pages were fetched. */
export const plainFiles = ({ files }: KeptFolder): string[] =>
  files.map(name => name.replace('.sent.json', '.json')).sort();
