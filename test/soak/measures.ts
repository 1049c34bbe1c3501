/** What a service holds while nothing is done, and what is said of it at the end. */

/** At one time. */
export interface Held {
  /** Bytes that are resident: of the service, and of the processes that it started. */
  readonly memory: number;
  readonly helperMemory: number;
  /** Bytes of V8's heap after a garbage collection, and of its buffers. */
  readonly heap: number;
  readonly descriptors: number;
  readonly helperDescriptors: number;
  /** What Node's event loop has to watch: sockets, timers, child processes. */
  readonly handles: number;
  readonly threads: number;
  readonly processes: number;
  /** In the data folder: of pages that wait for a client. */
  readonly files: number;
}

export interface Verdict {
  readonly measure: string;
  readonly before: string;
  readonly after: string;
  readonly change: string;
  readonly wanted: string;
  readonly held: boolean;
}

const MOST = 0.05;

interface Row {
  readonly title: string;
  readonly unit: 'MB' | 'count';
  /** Memory that was given back is no fault; a socket that is missing may be. */
  readonly lessIsGood: boolean;
}

const rows: Readonly<Record<keyof Held, Row>> = {
  memory: { title: 'memory of the service (RSS), MB', unit: 'MB', lessIsGood: true },
  helperMemory: { title: 'memory of its helpers (RSS), MB', unit: 'MB', lessIsGood: true },
  heap: { title: 'heap and buffers after a garbage collection, MB', unit: 'MB', lessIsGood: true },
  descriptors: { title: 'descriptors of the service', unit: 'count', lessIsGood: false },
  helperDescriptors: { title: 'descriptors of its helpers', unit: 'count', lessIsGood: false },
  handles: { title: 'handles of the service', unit: 'count', lessIsGood: false },
  threads: { title: 'threads, with its helpers’', unit: 'count', lessIsGood: false },
  processes: { title: 'processes', unit: 'count', lessIsGood: false },
  files: { title: 'files that wait', unit: 'count', lessIsGood: false },
};

/** One for each measure. @param before after the first minute */
export function judge(before: Held, after: Held): Verdict[] {
  return (Object.keys(rows) as (keyof Held)[]).map(name => {
    const { title, unit, lessIsGood } = rows[name];
    const [from, to] = [before[name], after[name]];
    const share = from === to ? 0 : (to - from) / from;
    const spell = (value: number): string => (unit === 'MB' ? (value / 1e6).toFixed(1) : String(value));
    return {
      measure: title,
      before: spell(from),
      after: spell(to),
      change: Number.isFinite(share) ? `${share > 0 ? '+' : ''}${(share * 100).toFixed(1)} %` : 'from none',
      wanted: lessIsGood ? '≤ +5 %' : '± 5 %',
      held: lessIsGood ? share <= MOST : Math.abs(share) <= MOST,
    };
  });
}

/** The least of each, of several looks: what is fleeting at one of them is not held. */
export function leastOf(looks: readonly Held[]): Held {
  const names = Object.keys(rows) as (keyof Held)[];
  return Object.fromEntries(names.map(name => [name, Math.min(...looks.map(each => each[name]))])) as unknown as Held;
}

/** The measures that are not held. */
export const missed = (before: Held, after: Held): string[] =>
  judge(before, after)
    .filter(({ held }) => !held)
    .map(({ measure }) => measure);
