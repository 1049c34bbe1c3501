/** What a run of `platen-conformance` found; the text, JSON, JUnit, HTML and Markdown are made of it. */
import type { PackageSuite } from '../packageCases.js';

export type Outcome = 'pass' | 'fail' | 'gap' | 'not-applicable' | 'not-tried';

/** Of the package itself: of its package.json, its files and its plugin. */
export type SuiteKind = PackageSuite['kind'] | 'package';

export interface CaseResult {
  /** The suite's name. */
  readonly suite: string;
  readonly kind: SuiteKind;
  readonly id: string;
  /** Of `promises`. */
  readonly promise: string;
  readonly title: string;
  readonly outcome: Outcome;
  readonly seconds: number;
  /** Why it failed, is a gap, does not apply or was not tried. */
  readonly message?: string;
  /** Of a failure: how to fix it. */
  readonly fix?: string;
  /** What it measured: each name says the unit. */
  readonly figures?: Readonly<Record<string, number>>;
}

export interface SuiteResult {
  readonly name: string;
  readonly kind: SuiteKind;
  readonly counts: Counts;
  readonly seconds: number;
}

export type Counts = Readonly<Record<Outcome, number>>;

export interface PromiseResult {
  readonly id: string;
  readonly title: string;
  readonly weight: number;
  /** Each case once, however many suites ran it. */
  readonly counts: Counts;
  /** In all suites. */
  readonly seconds: number;
}

export interface Report {
  readonly package: { readonly name: string; readonly version: string };
  readonly versions: {
    readonly core: string;
    readonly conformance: string;
    readonly node: string;
    /** `linux x64`. */
    readonly platform: string;
  };
  /** ISO 8601, in UTC. */
  readonly date: string;
  readonly seconds: number;
  /** 0 to 100. Absent if not all cases were run. */
  readonly score?: number;
  /** What was asked for with `--only`. */
  readonly only?: string;
  readonly suites: readonly SuiteResult[];
  readonly promises: readonly PromiseResult[];
  readonly cases: readonly CaseResult[];
}
