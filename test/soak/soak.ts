/** The soak: mixed work for some time, and whether the service holds no more at its end than after the beginning. */
import { setTimeout as pause } from 'node:timers/promises';
import { createCaller } from './caller.js';
import { startHouse, type HouseWishes } from './house.js';
import type { Desk } from './desk.js';
import { jobs } from './jobs.js';
import { filesThatWait, glance, handlesOf, looks, type Glance } from './look.js';
import { leastOf, type Held } from './measures.js';
import { randomOf } from './random.js';
import { tidy } from './tidy.js';
import { visitAll, visitUntil } from './visitors.js';

export interface SoakOptions extends HouseWishes {
  /** Milliseconds of work in all. */
  readonly ms: number;
  /** Of these, before the first measurement; each job is done once in any case. */
  readonly firstMs: number;
  /** Work between two of the further measurements. */
  readonly everyMs: number;
  /** Rest before each measurement. */
  readonly restMs: number;
  readonly seed: number;
  /**
   * In place of mixed work: these jobs, once before each measurement, which is one look. No time and no chance decides
   * what is done.
   */
  readonly only?: readonly string[];
}

export interface SoakResult {
  /** The first measurement, those while it went on, and the last. */
  readonly held: readonly (Held & { readonly seconds: number })[];
  /** How often each kind of job was done. */
  readonly jobs: Readonly<Record<string, number>>;
  /** Answers by method, path and status. */
  readonly answers: Readonly<Record<string, number>>;
  readonly pages: number;
  readonly bytes: number;
  /** What was not as it should be. */
  readonly wrong: readonly string[];
  /** While it worked. */
  readonly glances: readonly (Glance & { readonly seconds: number })[];
}

const VISITORS = 3;
const GLANCE_MS = 5000;
const LOOKS = 8;
/** Of the scans before a measurement: pages on which each thread works, and pages that cost little. */
const LARGE_DPI = 300;
const SMALL_DPI = 75;

/** Run it in its own network only: the service discovers scanners in all networks. */
export async function soak(options: SoakOptions, say: (line: string) => void): Promise<SoakResult> {
  const house = await startHouse(options);
  const caller = createCaller(house.service.port);
  const desk: Desk = { caller, house, random: randomOf(options.seed), kept: [] };
  const done: Record<string, number> = {};
  const held: (Held & { seconds: number })[] = [];
  const glances: (Glance & { seconds: number })[] = [];
  const began = performance.now();
  const seconds = (): number => Math.round((performance.now() - began) / 1000);
  let resting = false;
  const timer = setInterval(() => {
    if (resting) return;
    const now = glance(house);
    glances.push({ seconds: seconds(), ...now });
    if (glances.length % 12 === 0)
      say(
        `${seconds()} s: ${(now.memory / 1e6).toFixed(0)} MB, ${now.descriptors} descriptors, ${now.processes} processes, ${now.files} files, ${caller.counts.pages} pages, ${caller.counts.wrong.length} wrong`,
      );
  }, GLANCE_MS);

  async function once(name: string): Promise<void> {
    done[name] = (done[name] ?? 0) + 1;
    const before = caller.counts.wrong.length;
    try {
      await jobs[name]!.job(desk);
    } catch (error) {
      caller.expect(false, () => `${name}: ${String((error as Error).stack ?? error)}`);
    }
    for (const what of caller.counts.wrong.slice(before)) say(`wrong in ${name}: ${what}`);
  }

  /** @param each whether every job comes first, once */
  async function work(ms: number, each: boolean): Promise<void> {
    if (options.only) {
      for (const name of options.only) await once(name);
      return;
    }
    const until = performance.now() + ms;
    let isOver = false;
    const visitors = Array.from({ length: VISITORS }, (_, at) =>
      visitUntil(() => isOver, caller, house, randomOf(options.seed + 1 + at)),
    );
    try {
      if (each) {
        await visitAll(caller, house, desk.random);
        for (const name of Object.keys(jobs)) await once(name);
      }
      while (performance.now() < until) await once(desk.random.pick(deck));
    } finally {
      isOver = true;
      await Promise.all(visitors);
    }
  }

  async function measured(): Promise<void> {
    resting = true;
    await tidy(desk, options.only ? SMALL_DPI : LARGE_DPI);
    await pause(options.restMs);
    const taken = await looks(house, options.only ? 1 : LOOKS);
    held.push({ seconds: seconds(), ...leastOf(taken.map(each => each.held)) });
    const { resources } = taken.map(each => each.probed).reduce((a, b) => (handlesOf(b) < handlesOf(a) ? b : a));
    const files = filesThatWait(house.service.dataDir);
    say(`holds ${JSON.stringify({ ...held.at(-1), resources })} ${files.join(', ')}`);
    resting = false;
  }

  try {
    await listed();
    await work(options.firstMs, true);
    await measured();
    for (let left = options.ms - options.firstMs; left > 0; left -= options.everyMs) {
      await work(Math.min(left, options.everyMs), false);
      await measured();
    }
    const { answers, pages, bytes, wrong } = caller.counts;
    return {
      held,
      jobs: done,
      answers: Object.fromEntries([...answers].sort()),
      pages,
      bytes,
      wrong,
      glances,
    };
  } catch (error) {
    say(house.service.log().split('\n').slice(-20).join('\n'));
    throw error;
  } finally {
    clearInterval(timer);
    await house.stop();
  }

  /** Scanners are discovered in the background. */
  async function listed(): Promise<void> {
    for (;;) {
      const { json } = await caller.call('GET', '/api/twain/scanners', [200]);
      const { scanners } = json as { scanners: readonly { name: string; isOnline: boolean }[] };
      const names = scanners.filter(({ isOnline }) => isOnline).map(({ name }) => name);
      if (house.scanners.every(({ name }) => names.includes(name))) return;
      await pause(100);
    }
  }
}

const deck = Object.entries(jobs).flatMap(([name, { weight }]) => Array.from({ length: weight }, () => name));
