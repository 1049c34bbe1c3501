/**
 * The source's place for a compiled one, in what a test says when it fails. Node can do it while a test runs, but then
 * it reads the map of each module that it loads: a seventh of the processor time of a short test.
 */
import { readFileSync } from 'node:fs';
import { SourceMap, type SourceMapPayload } from 'node:module';
import { join, relative } from 'node:path';

const place = /(?:file:\/\/)?([^\s()'"]*\/dist\/[^\s()'"]+\.js):(\d+)(?::(\d+))?/g;

const maps = new Map<string, SourceMap | undefined>();

/**
 * @param text lines of a stack, or others
 * @param root the clone
 * @returns it with `core/src/plan.ts:8:3` for `file:///…/core/dist/plan.js:12:3`; a file without a map keeps its own
 */
export function inSources(text: string, root = process.cwd()): string {
  return text.replace(place, (whole, file: string, line: string, column = '1') => {
    const path = file.startsWith('/') ? file : join(root, file);
    const entry = mapOf(path)?.findEntry(Number(line) - 1, Number(column) - 1);
    if (!entry || !('originalSource' in entry)) return whole;
    const source = relative(root, join(path, '..', entry.originalSource));
    return `${source}:${entry.originalLine + 1}:${entry.originalColumn + 1}`;
  });
}

function mapOf(path: string): SourceMap | undefined {
  if (!maps.has(path)) maps.set(path, read(`${path}.map`));
  return maps.get(path);
}

function read(file: string): SourceMap | undefined {
  try {
    return new SourceMap(JSON.parse(readFileSync(file, 'utf8')) as SourceMapPayload);
  } catch {
    return undefined;
  }
}
