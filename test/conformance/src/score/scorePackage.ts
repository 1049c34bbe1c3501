/** Runs the suites of a package and the checks of the package itself, and makes the report. */
import { performance } from 'node:perf_hooks';
import { withCases } from '../packageCases.js';
import { findPackage, suitesOf } from './findPackage.js';
import { packageCases } from './packageCases.js';
import { packageFacts, type PackageFacts } from './packageFacts.js';
import { promiseOf, promises } from './promises.js';
import { Refusal } from './refusal.js';
import type { CaseResult, Report } from './report.js';
import { runSuite, type RunOptions } from './runSuite.js';
import { promiseResults, scoreOf, suiteResults } from './score.js';
import { uncaught } from './uncaught.js';
import { versions } from './versions.js';

export interface ScoreOptions {
  readonly cwd: string;
  /** A case's id, or a promise: `5`, `speed`, `package`. Absent: all cases. */
  readonly only?: string;
  /** A folder whose package.json and files are those that are published; absent: the package's own. */
  readonly packed?: string;
  /** Told of each suite before it runs. */
  readonly onSuite?: (name: string) => void;
  /** Told of each result at once. */
  readonly onResult?: (result: CaseResult) => void;
}

/** @param asked a folder, or the name of an installed package. @throws Refusal */
export async function scorePackage(
  asked: string,
  { cwd, only, packed, onSuite, onResult }: ScoreOptions,
): Promise<Report> {
  const found = await findPackage(asked, cwd);
  const { suites, options: pluginOptions = {} } = await suitesOf(found);
  const published = packed === undefined ? found : await findPackage(packed, cwd);
  const wanted = (id: string): boolean => only === undefined || id === only || promiseOf(id) === only;
  if (
    ![packageCases, ...suites.map(each => withCases<readonly { id: string }[]>(each, cases => cases))]
      .flat()
      .some(each => wanted(each.id))
  )
    throw new Refusal(
      `No case of ${found.name} is "${only}". Give the id of a case, or one of ${promises.map(each => each.id).join(', ')}.`,
    );
  const start = performance.now();
  const date = new Date().toISOString();
  const options = { wanted, ...(onResult && { onResult }) };
  const cases: CaseResult[] = [];
  const ended = uncaught.watch();
  try {
    cases.push(...(await packageResults(() => packageFacts(found, published, pluginOptions), options)));
    for (const suite of suites) {
      onSuite?.(suite.name);
      cases.push(...(await withCases(suite, (all, its) => runSuite(suite, all, its, options).catch(refused))));
    }
  } finally {
    ended();
  }
  const results = promiseResults(cases);
  return {
    package: { name: found.name, version: found.version },
    versions: versions(),
    date,
    seconds: (performance.now() - start) / 1000,
    ...(only === undefined ? { score: scoreOf(results) } : { only }),
    suites: suiteResults(cases),
    promises: results,
    cases,
  };
}

/** The facts are looked up only if a case is wanted that needs them. */
async function packageResults(facts: () => Promise<PackageFacts>, options: RunOptions): Promise<CaseResult[]> {
  if (!packageCases.some(({ id }) => options.wanted?.(id))) return [];
  const features = await facts();
  return runSuite(
    { name: 'the package', kind: 'package' },
    packageCases,
    { features, make: async () => ({}) },
    options,
  );
}

/** A known gap that names no case. */
function refused(error: unknown): never {
  throw new Refusal(error instanceof Error ? `${error.message}.` : String(error));
}
