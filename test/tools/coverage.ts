/**
 * Coverage of a test run: what V8 records in every process and thread of it, cut down to the product, and c8's report.
 * It takes a quarter more processor time, and is recorded for the tests beside the sources only: the system tests,
 * under `test/`, start hundreds of processes.
 */
import { execFileSync } from 'node:child_process';
import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';

export interface Coverage {
  /** @returns what the process of a test finds in its environment; the processes that it starts inherit it */
  env(file: string): Readonly<Record<string, string>>;
  /** Cuts new records down to the product's files: 1 % of what V8 writes. */
  trim(): void;
  /**
   * Writes coverage/index.html and coverage/coverage-summary.json. Files that no test loads are not counted.
   * @returns a line for a person
   */
  report(): string;
}

interface CoverageRecord {
  readonly result: readonly { readonly url: string }[];
}

type Summary = Readonly<Record<'lines' | 'branches' | 'functions', { readonly pct: number }>>;

/**
 * They draw and read hundreds of pages, for which a recorder takes a third more time. Other tests beside them load the
 * same modules.
 */
const wholePages =
  /^plugins\/(?:adjust\/dist\/(?:deskew|orientation)|barcode\/dist\/readPage|blank-pages\/dist\/judge|patch-codes\/dist\/findPatch)\.test\.js$/;

/** @param root the clone; its folder `coverage` is made anew */
export function recordCoverage(root: string): Coverage {
  const folder = join(root, 'coverage');
  const records = join(folder, 'records');
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(records, { recursive: true });
  const base = `${pathToFileURL(root).href}/`;
  const trimmed = new Set<string>();

  const trim = () => {
    for (const name of readdirSync(records)) {
      if (trimmed.has(name)) continue;
      const record = read(join(records, name));
      if (!record) continue;
      const result = record.result.filter(({ url }) => url.startsWith(base) && isProduct(url.slice(base.length)));
      writeFileSync(join(records, name), JSON.stringify({ result }));
      trimmed.add(name);
    }
  };

  return {
    env: file => (file.startsWith('test/') || wholePages.test(file) ? {} : { NODE_V8_COVERAGE: records }),
    trim,
    report() {
      trim();
      const c8 = join(root, 'node_modules', 'c8', 'bin', 'c8.js');
      const options = [
        '--exclude-after-remap',
        '--reporter',
        'html',
        '--reporter',
        'json-summary',
        '--reports-dir',
        folder,
      ];
      execFileSync(process.execPath, [c8, 'report', '--temp-directory', records, ...options], { cwd: root });
      rmSync(records, { recursive: true });
      const { total } = JSON.parse(readFileSync(join(folder, 'coverage-summary.json'), 'utf8')) as { total: Summary };
      return `Coverage: ${total.lines.pct} % of lines, ${total.branches.pct} % of branches, ${total.functions.pct} % of functions`;
    },
  };
}

/** @returns undefined where its process is still writing it */
function read(file: string): CoverageRecord | undefined {
  try {
    return JSON.parse(readFileSync(file, 'utf8')) as CoverageRecord;
  } catch {
    return undefined;
  }
}

/** @param path of a compiled file, relative to the clone */
function isProduct(path: string): boolean {
  return /^(?!test\/|node_modules\/).*\/dist\/.*\.js$/.test(path) && !/\.test\.|\/testing\//.test(path);
}
