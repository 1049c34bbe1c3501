/** What a service counted since it started. It holds no names of scanners, and origins only if asked to. */
import { stages, type Meter, type ScanKind, type Stage } from '@platen/core';
import { inDigits, type Family, type Sample } from './exposition.js';

export interface Tally extends Meter {
  /** An error answer was sent. */
  answered(code: string): void;
  /** A client of this origin began a scan; empty for a program. */
  scanned(origin: string): void;
  families(): Family[];
}

/** Seconds. */
const BUCKETS = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60, 300];
/** Further origins are counted together: a program can claim any. */
const MOST_ORIGINS = 100;

const kinds: readonly ScanKind[] = ['on-demand', 'auto-scan'];

export function createTally({ origins: tellsOrigins }: { readonly origins: boolean }): Tally {
  const scans = createCounts();
  const pages = createCounts();
  const notes = createCounts();
  const answers = createCounts();
  const origins = createCounts();
  const times = new Map<Stage, Histogram>(stages.map(stage => [stage, createHistogram()]));
  for (const kind of kinds) {
    scans.add({ kind, code: 'complete' }, 0);
    pages.add({ kind }, 0);
  }
  return {
    took: (stage, seconds) => times.get(stage)?.add(seconds),
    noted: code => notes.add({ code }),
    ended({ kind, pages: count, code }) {
      scans.add({ kind, code: code ?? 'complete' });
      pages.add({ kind }, count);
    },
    answered: code => answers.add({ code }),
    scanned(origin) {
      if (!tellsOrigins) return;
      const isCounted = origin === '' || origins.size < MOST_ORIGINS || origins.has({ origin });
      origins.add({ origin: isCounted ? origin : 'other' });
    },
    families: () => [
      {
        name: 'platen_scans_total',
        help: 'Scans that ended, by kind and code; each capture of auto-scan is one.',
        type: 'counter',
        samples: scans.samples(),
      },
      {
        name: 'platen_pages_total',
        help: 'Pages that were scanned and stored, by kind of scan.',
        type: 'counter',
        samples: pages.samples(),
      },
      {
        name: 'platen_notes_total',
        help: 'Notes on scans, by code: what differs from the request, and steps that failed.',
        type: 'counter',
        samples: notes.samples(),
      },
      {
        name: 'platen_error_answers_total',
        help: 'Error answers of the HTTP interface, by code.',
        type: 'counter',
        samples: answers.samples(),
      },
      {
        name: 'platen_stage_seconds',
        help: 'How long each step of a scan took.',
        type: 'histogram',
        samples: [...times].flatMap(([stage, histogram]) => histogram.samples({ stage })),
      },
      {
        name: 'platen_scans_by_origin_total',
        help: 'Scans that began, by the origin of the web page; empty for programs.',
        type: 'counter',
        samples: origins.samples(),
      },
    ],
  };
}

type Labels = Readonly<Record<string, string>>;

interface Counts {
  add(labels: Labels, by?: number): void;
  has(labels: Labels): boolean;
  readonly size: number;
  samples(): Sample[];
}

function createCounts(): Counts {
  const all = new Map<string, { readonly labels: Labels; value: number }>();
  const keyOf = (labels: Labels): string => JSON.stringify(labels);
  return {
    add(labels, by = 1) {
      const key = keyOf(labels);
      const found = all.get(key);
      if (found) found.value += by;
      else all.set(key, { labels, value: by });
    },
    has: labels => all.has(keyOf(labels)),
    get size() {
      return all.size;
    },
    samples: () => [...all.values()].map(each => ({ ...each })),
  };
}

interface Histogram {
  add(value: number): void;
  samples(labels: Labels): Sample[];
}

/** Its buckets are cumulative: each counts what the one before does, too. */
function createHistogram(): Histogram {
  const counts = BUCKETS.map(() => 0);
  let [count, sum] = [0, 0];
  return {
    add(value) {
      count += 1;
      sum += value;
      for (const [at, most] of BUCKETS.entries()) if (value <= most) counts[at]! += 1;
    },
    samples: labels => [
      ...BUCKETS.map((most, at) => ({
        suffix: '_bucket',
        labels: { ...labels, le: inDigits(most) },
        value: counts[at]!,
      })),
      { suffix: '_bucket', labels: { ...labels, le: inDigits(Infinity) }, value: count },
      { suffix: '_sum', labels, value: sum },
      { suffix: '_count', labels, value: count },
    ],
  };
}
