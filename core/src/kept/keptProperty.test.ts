/**
 * Random sequences of calls, faults and crashes: every page that was announced is there, byte for byte, until its scan is
 * released or too old; numbers have no gaps and no repeats; states follow one another as they may.
 */
import { copyFileSync, mkdirSync, readdirSync } from 'node:fs';
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { setImmediate as breathe } from 'node:timers/promises';
import { fakeDriver } from '@platen/conformance';
import t, { type Test } from 'tap';
import { DAY, ended, folderOf, hexOf, keptRig, origin } from './keptScans.test.kit.js';
import { KEY_MS } from './requestKeys.js';
import type { KeptScan, ScanState } from './keptScan.js';

const STEPS = 30;

/** What must hold of a scan. */
interface Known {
  /** The page's bytes, by its number. */
  readonly pages: Map<number, string>;
  /** When it was looked at last. */
  state: ScanState;
  /** By the system clock; undefined while it runs. */
  endedAt: number | undefined;
}

const after: Readonly<Record<ScanState, readonly ScanState[]>> = {
  running: ['completed', 'failed', 'cancelled', 'interrupted'],
  completed: ['running'],
  failed: ['running'],
  cancelled: ['running'],
  interrupted: ['running'],
};

/** Mulberry32: numbers from 0 to below 1. */
function randomOf(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

async function run(t: Test, seed: number): Promise<string[]> {
  const random = randomOf(seed);
  const upTo = (count: number): number => Math.floor(random() * count);
  const pick = <T>(from: readonly T[]): T | undefined => from[upTo(from.length)];
  const known = new Map<string, Known>();
  const done: string[] = [];
  let driver = fakeDriver();
  let now: number | undefined;
  const open = async (dir: string) => keptRig(t, driver, dir, {}, true, driver, now);
  let rig = await open(await folderOf(t));

  /** Each page that is announced now must be there from now on. */
  const learn = async (): Promise<void> => {
    for (const scan of rig.kept.list(origin)) {
      const its = known.get(scan.id) ?? { pages: new Map(), state: 'running', endedAt: undefined };
      known.set(scan.id, its);
      if (scan.state !== its.state && !after[its.state].includes(scan.state))
        t.fail(`${its.state}, then ${scan.state}`);
      its.endedAt = scan.state === 'running' ? undefined : (its.endedAt ?? rig.clock.now());
      its.state = scan.state;
      const pages = [...scan.pages];
      for (const [at, page] of pages.entries()) {
        if (page.page.pageNumber !== at + 1) t.fail(`page ${page.page.pageNumber} comes at place ${at + 1}`);
        const bytes = await hexOf(page);
        if ((its.pages.get(at + 1) ?? bytes) !== bytes) t.fail(`page ${at + 1} has other bytes`);
        its.pages.set(at + 1, bytes);
      }
    }
  };
  const check = async (): Promise<void> => {
    for (const [id, { pages, endedAt }] of known) {
      const scan = rig.kept.find(origin, id);
      if (endedAt !== undefined && rig.clock.now() - endedAt >= (pages.size > 0 ? DAY : KEY_MS)) {
        t.equal(scan, undefined, `too old: ${id}`);
        known.delete(id);
      } else if (!scan || scan.pages.length < pages.size) {
        t.fail(`${id} has ${scan?.pages.length} of ${pages.size} pages`);
      }
    }
    await learn();
  };
  const running = (): KeptScan | undefined => rig.kept.list(origin).find(({ state }) => state === 'running');
  const idle = (): KeptScan[] => rig.kept.list(origin).filter(({ state }) => state !== 'running');
  const load = (): void => {
    driver.load(1 + upTo(4));
    driver.clearFaults();
    if (random() < 0.4) driver.fault(1 + upTo(3), 'paper-jam');
  };

  const steps: Readonly<Record<string, () => Promise<unknown>>> = {
    async start() {
      if (running()) return;
      load();
      await rig.start();
    },
    async continue() {
      const scan = pick(idle());
      if (!scan || running()) return;
      load();
      await rig.kept.continue(scan);
      known.set(scan.id, { pages: known.get(scan.id)?.pages ?? new Map(), state: 'running', endedAt: undefined });
    },
    async cancel() {
      const scan = running();
      if (scan) rig.kept.cancel(scan);
    },
    async wait() {
      for (let turns = upTo(200); turns > 0; turns--) await breathe();
    },
    async end() {
      const scan = running();
      if (scan) await ended(scan);
    },
    async deliver() {
      const scan = pick(idle());
      const page = pick(scan?.pages ?? []);
      page?.deliver();
      const name = `${page?.page.pageNumber}.sent.json`;
      while (scan && page && !(await readdir(join(rig.dir, 'scans', scan.id))).includes(name)) await breathe();
    },
    async release() {
      const scan = pick(idle());
      if (!scan) return;
      known.delete(scan.id);
      await rig.kept.release(scan);
    },
    async expire() {
      await steps['end']?.();
      await check();
      await rig.clock.advance(upTo(DAY));
    },
    async crash() {
      const dir = await folderOf(t);
      await learn();
      // All that the service has announced so far; the scan goes on meanwhile, in the old folder.
      const old = rig;
      const seen = new Map(old.kept.list(origin).map(({ id, pages }) => [id, pages.length]));
      copyNow(old.dir, dir);
      now = old.clock.now();
      await old.scans.close('It crashed.');
      await old.kept.close();
      driver = fakeDriver();
      rig = await open(dir);
      for (const [id, count] of seen)
        if ((rig.kept.find(origin, id)?.pages.length ?? 0) < count) t.fail(`${id}: ${count} pages were announced`);
    },
    async restart() {
      await rig.scans.close('The service stops.');
      await rig.kept.close();
      await learn();
      now = rig.clock.now();
      rig = await open(rig.dir);
    },
  };
  for (let step = 0; step < STEPS; step++) {
    const [name, work] = pick(Object.entries(steps)) as [string, () => Promise<unknown>];
    done.push(name);
    await work().catch((error: { code?: string }) => {
      // A scan whose feeder jams at once is accepted; one whose scanner is busy is not.
      if (error.code !== 'busy') throw error;
    });
    await check();
  }
  return done;
}

/** As they are at one moment, but for what a thread of the system removes or renames meanwhile. */
function copyNow(from: string, to: string): void {
  copyFolder(join(from, 'scans'), join(to, 'scans'));
}

function copyFolder(from: string, to: string): void {
  unlessGone(() => {
    const entries = readdirSync(from, { withFileTypes: true });
    mkdirSync(to, { recursive: true, mode: 0o700 });
    for (const entry of entries) {
      const [source, copy] = [join(from, entry.name), join(to, entry.name)];
      if (entry.isDirectory()) copyFolder(source, copy);
      else if (!entry.name.endsWith('.draft')) unlessGone(() => copyFileSync(source, copy));
    }
  });
}

function unlessGone(work: () => void): void {
  try {
    work();
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
  }
}

for (const seed of [1, 2, 3, 4, 5, 6, 7, 8])
  t.test(`kept scans: random calls and crashes, seed ${seed}, no announced page is lost`, async t => {
    const done = await run(t, seed);
    t.equal(done.length, STEPS, done.join(' '));
  });
