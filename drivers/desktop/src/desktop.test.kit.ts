/** Fixtures: the driver on a fake clock, and a desktop application that comes, goes and hangs. */
import { Duplex } from 'node:stream';
import { fakeClock, recordingLog, type FakeClock, type RecordingLog } from '@platen/conformance';
import { nullLog, type Driver } from '@platen/core/plugin';
import { serveDriver } from '@platen/driver-remote';
import { desktopDriver } from './driver.js';

/** Two ends of one stream in memory; destroying one ends the other. */
export function pair(): [Duplex, Duplex] {
  const ends: Duplex[] = [0, 1].map(
    at =>
      new Duplex({
        read: () => undefined,
        write(chunk: Buffer, _, done) {
          if (!ends[1 - at]!.destroyed) ends[1 - at]!.push(chunk);
          done();
        },
        destroy(error, done) {
          if (!ends[1 - at]!.destroyed) ends[1 - at]!.push(null);
          done(error);
        },
      }),
  );
  return [ends[0]!, ends[1]!];
}

export const settled = async (): Promise<void> => {
  for (let i = 0; i < 20; i++) await new Promise(resolve => setImmediate(resolve));
};

/** The result of a dial: a desktop application, a far end that the test provides, or a failure. */
export type Meets = 'application' | ((far: Duplex) => void) | Error;

export interface DesktopRig {
  readonly driver: ReturnType<typeof desktopDriver>;
  readonly clock: FakeClock;
  readonly log: RecordingLog;
  /** The times of all dials, in milliseconds since the start. */
  readonly dials: number[];
  meets: Meets;
  /** The far end of the newest stream. */
  readonly far: Duplex | undefined;
  /** Advances the clock and lets both ends finish what they send. */
  advance(ms: number): Promise<void>;
}

export const absent = (): Error => Object.assign(new Error('Nothing listens.'), { code: 'channel-absent' });

/** @param behind the desktop application's driver */
export function desktopRig(behind: Driver, meets: Meets = 'application', version?: string): DesktopRig {
  const clock = fakeClock();
  const started = clock.now();
  const log = recordingLog('info');
  const dials: number[] = [];
  let last: Duplex | undefined;
  const dial = async (): Promise<Duplex> => {
    dials.push(clock.now() - started);
    const its = own.meets;
    if (its instanceof Error) throw its;
    const [near, far] = pair();
    last = far;
    if (typeof its === 'function') its(far);
    else void serveDriver(behind, far, { log: nullLog, ...(version === undefined ? {} : { version }) });
    return near;
  };
  const own: DesktopRig = {
    driver: desktopDriver({ dial, log, clock }),
    clock,
    log,
    dials,
    meets,
    get far() {
      return last;
    },
    async advance(ms) {
      await clock.advance(ms);
      await settled();
    },
  };
  return own;
}
