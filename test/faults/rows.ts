/** The faults: how each is caused while sheet 2 of 3 goes through, how the scan must end, and how the fault is taken away. */
import { execFileSync } from 'node:child_process';
import { mkdirSync, readdirSync } from 'node:fs';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { lacking, lackingDisks, mountSmallDisk, type SmallDisk } from '@platen/conformance';
import { processes } from '../isolate/processes.js';
import { processesOf } from '../scans/frozen.js';
import { pause } from '../spec/calls.js';
import { untilFound } from '../topology/desktopHost.js';
import type { Fixture, FixtureOptions, Role, Topology } from '../topology/topology.js';

export interface Row {
  readonly id: string;
  readonly title: string;
  /** Where the fault comes from outside: `hanging`, as sheet 2 then moves until it comes; `slow`, if the scan is to go on. */
  readonly role: Role;
  /** Codes of the scan; `completed` where it may go through. */
  readonly codes: readonly string[];
  /** Pages that must be there. */
  readonly leastPages: number;
  /** Sheets in the feeder, at most 6; 3 when absent. */
  readonly sheets?: number;
  /** @returns why it cannot be caused with these scanners */
  cannot?(topology: Topology): string | undefined;
  /** Once for each cell: the service's options, and what is done while it scans. */
  prepare?(folder: string): Occasion;
}

export interface Occasion {
  readonly options?: FixtureOptions;
  /** Before the scan starts, when the service lists the scanners. */
  begin?(fixture: Fixture): Promise<void>;
  /** When sheet 1 is through. @returns the service that runs from now on; absent: the same */
  cause?(fixture: Fixture): Promise<Fixture | void>;
  /** Before the next scan. */
  takeAway?(fixture: Fixture): Promise<void>;
  /** When the service has ended. */
  over?(): void;
}

const scripted = (id: string, title: string, fault: string, more: Partial<Row> = {}): Row => ({
  id,
  title,
  role: 'duplex',
  codes: [fault],
  leastPages: 1,
  cannot: ({ faults, name }) =>
    faults === 'all' || faults.includes(fault) ? undefined : `${name} cannot have this fault`,
  prepare: () => ({ options: { faults: { duplex: [{ sheet: 2, fault }] } } }),
  ...more,
});

const hanging = (when: 'open' | 'close', title: string, more: Pick<Row, 'codes' | 'leastPages'>): Row => ({
  id: `hang-${when}`,
  title,
  role: 'duplex',
  ...more,
  cannot: ({ faults, name }) =>
    faults === 'all' || faults.includes('hang') ? undefined : `${name} cannot have this fault`,
  prepare: () => ({
    options: { faults: { duplex: [{ sheet: when, fault: 'hang' }] } },
    begin: fixture => fixture.hang('duplex', when),
    takeAway: fixture => fixture.hang('duplex'),
  }),
});

/** Processes that the service, or the desktop application, started for a driver. */
async function helpersOf(fixture: Fixture): Promise<number[]> {
  const own = new Set(processesOf(fixture));
  return (await processes()).filter(({ pid, parent }) => own.has(pid) && own.has(parent)).map(({ pid }) => pid);
}

async function eachHelper(fixture: Fixture, harm: (pid: number) => void): Promise<void> {
  const helpers = await helpersOf(fixture);
  if (helpers.length === 0) throw new Error('The driver has no process of its own.');
  helpers.forEach(harm);
}

const withHelpers = ['virtual in a separate process', 'virtual in a process of the desktop application'];
const needsHelper = ({ name }: Topology): string | undefined =>
  withHelpers.includes(name) || ['SANE', 'Mac', 'TWAIN'].some(each => name.includes(each))
    ? undefined
    : 'the driver has no process of its own';

const needsLimits = (): string | undefined => lacking('prlimit') || undefined;

export const rows: readonly Row[] = [
  scripted('jam', 'paper jam', 'paper-jam'),
  scripted('double-feed', 'double feed', 'double-feed'),
  scripted('cover', 'open cover', 'cover-open', { leastPages: 0 }),
  { id: 'empty', title: 'empty feeder', role: 'duplex', sheets: 0, codes: ['no-paper'], leastPages: 0 },
  scripted('offline', 'offline', 'device-offline', {
    prepare: () => ({
      options: { faults: { duplex: [{ sheet: 2, fault: 'device-offline' }] } },
      // Some are back at once, and refuse to be connected twice.
      takeAway: fixture => fixture.plugIn('duplex').catch(() => undefined),
    }),
  }),
  scripted('hang', 'hang in a scan', 'hang', {
    codes: ['timeout'],
    prepare: () => ({
      options: { config: { scan: { inactivitySeconds: 10 } }, faults: { duplex: [{ sheet: 2, fault: 'hang' }] } },
    }),
  }),
  // Core gives up opening after 30 s, and drivers earlier.
  hanging('open', 'hang in opening', { codes: ['timeout'], leastPages: 0 }),
  // The pages have come; the driver gives up closing.
  hanging('close', 'hang in closing', { codes: ['completed'], leastPages: 3 }),
  {
    id: 'helper-crash',
    title: 'crash of the helper',
    role: 'hanging',
    codes: ['driver-failed', 'device-offline'],
    leastPages: 1,
    cannot: needsHelper,
    prepare: () => ({ cause: fixture => eachHelper(fixture, pid => process.kill(pid, 'SIGKILL')) }),
  },
  {
    id: 'helper-memory',
    title: 'out of memory in the helper',
    role: 'slow',
    codes: ['driver-failed', 'device-offline', 'timeout', 'completed'],
    leastPages: 1,
    cannot: topology => needsHelper(topology) ?? needsLimits(),
    prepare: () => ({
      cause: fixture =>
        eachHelper(fixture, pid => void execFileSync('prlimit', ['--pid', String(pid), '--as=4096:', '--data=4096:'])),
    }),
  },
  {
    id: 'host-crash',
    title: 'crash of the host',
    role: 'hanging',
    codes: ['not-connected', 'device-offline'],
    leastPages: 1,
    cannot: ({ name }) => (name.includes('desktop') ? undefined : 'there is no desktop application'),
    prepare: () => ({
      cause: fixture => fixture.desktop!.kill(),
      async takeAway(fixture) {
        await fixture.desktop!.start();
        await untilFound(fixture.port);
      },
    }),
  },
  {
    id: 'service-crash',
    title: 'crash of the service',
    role: 'hanging',
    codes: ['service-ended'],
    leastPages: 1,
    prepare: () => ({
      async cause(fixture) {
        fixture.signal('SIGKILL');
        await fixture.ended;
        return fixture.again();
      },
    }),
  },
  {
    id: 'disk-full',
    title: 'disk full',
    role: 'slow',
    // On a busy machine some come before the disk is full.
    sheets: 6,
    codes: ['storage-failed'],
    leastPages: 1,
    cannot: () => lackingDisks() || undefined,
    prepare() {
      let disk: SmallDisk | undefined;
      return {
        options: {
          async prepare(dataDir) {
            const folder = join(dataDir, 'scans');
            await mkdir(folder, { mode: 0o700 });
            disk = mountSmallDisk(folder, '16m');
          },
        },
        cause: () => disk!.fill(),
        takeAway: () => disk!.free(),
        over: () => disk?.unmount(),
      };
    },
  },
  {
    id: 'descriptors',
    title: 'no descriptors left',
    role: 'slow',
    codes: ['driver-failed', 'device-offline', 'storage-failed', 'internal', 'completed'],
    leastPages: 1,
    cannot: needsLimits,
    prepare: () => ({
      async cause({ pid }) {
        const limit = (most: number): void => void execFileSync('prlimit', ['--pid', String(pid), `--nofile=${most}:`]);
        const taken = new Set(readdirSync(`/proc/${pid}/fd`).map(Number));
        let free = 0;
        while (taken.has(free)) free++;
        limit(free);
        await pause(1500);
        limit(4096);
      },
    }),
  },
  {
    id: 'clock',
    title: 'clock set back an hour',
    role: 'slow',
    codes: ['completed'],
    leastPages: 3,
    cannot: () => lacking('faketime') || undefined,
    prepare(folder) {
      mkdirSync(folder, { recursive: true });
      const file = join(folder, 'time');
      const library = fakeTimeLibrary();
      return {
        options: {
          prepare: () => writeFile(file, '+0\n'),
          env: {
            LD_PRELOAD: library,
            FAKETIME_TIMESTAMP_FILE: file,
            FAKETIME_NO_CACHE: '1',
            FAKETIME_DONT_FAKE_MONOTONIC: '1',
            NO_FAKE_STAT: '1',
          },
        },
        cause: () => writeFile(file, '-1h\n'),
      };
    },
  },
];

/** @returns the path of the library that the program preloads */
function fakeTimeLibrary(tries = 5): string {
  try {
    return execFileSync('faketime', ['-f', '+0', 'printenv', 'LD_PRELOAD'], { encoding: 'utf8', stdio: 'pipe' }).trim();
  } catch (error) {
    // It leaves a semaphore under its process's number, which a later one may have again.
    if (tries === 1) throw error;
    return fakeTimeLibrary(tries - 1);
  }
}
