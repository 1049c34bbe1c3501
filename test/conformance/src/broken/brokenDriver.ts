/** How a broken driver is made: the fake, changed in one place. */
import type { Driver, Page, ScanCall, ScanOrder, Session } from '@platen/core/plugin';
import type { DriverFeatures, DriverRig } from '../driverRig.js';
import type { FakeDriver, FakeDriverOptions } from '../fakeDriver.js';
import { fakeRig } from '../fakeRig.js';

/** A driver that breaks one promise. */
export interface BrokenDriver {
  /** The case that must find it. */
  readonly breaks: string;
  /** What it does wrong: it ... */
  readonly how: string;
  /** What the case says of it. */
  readonly says: RegExp;
  readonly features?: Partial<DriverFeatures>;
  make(): DriverRig;
}

/** Waits for a driver that never answers are cut to this; what a sound driver answers comes sooner, however busy the machine is. */
export const shortTimeout = { timeoutMs: 2000 };

export function withDriver(
  change: (fake: FakeDriver) => Partial<Driver>,
  options?: FakeDriverOptions,
): () => DriverRig {
  return () =>
    fakeRig(options, fake => ({
      id: fake.id,
      devices: call => fake.devices(call),
      open: (deviceId, call) => fake.open(deviceId, call),
      close: () => fake.close(),
      ...change(fake),
    }));
}

export function withSession(
  change: (session: Session, fake: FakeDriver) => Partial<Session>,
  options?: FakeDriverOptions,
): () => DriverRig {
  return withDriver(
    fake => ({
      async open(deviceId, call) {
        const session = await fake.open(deviceId, call);
        return { ...session, ...change(session, fake) };
      },
    }),
    options,
  );
}

export interface BrokenScan {
  readonly order: ScanOrder;
  readonly call: ScanCall;
  readonly fake: FakeDriver;
  readonly session: Session;
  /** The fake's own scan, with what should differ from the order and the call. */
  scan(order?: Partial<ScanOrder>, call?: Partial<ScanCall>): AsyncIterableIterator<Page>;
}

export function withScan(
  scan: (broken: BrokenScan) => AsyncIterable<Page>,
  options?: FakeDriverOptions,
): () => DriverRig {
  return withSession(
    (session, fake) => ({
      scan: (order, call) =>
        scan({
          order,
          call,
          fake,
          session,
          scan: (otherOrder, otherCall) =>
            session.scan({ ...order, ...otherOrder }, { ...call, ...otherCall }) as AsyncIterableIterator<Page>,
        }),
    }),
    options,
  );
}

/** Changes each page on its way. */
export function withPages(change: (page: Page) => Page | undefined, options?: FakeDriverOptions): () => DriverRig {
  return withScan(async function* ({ scan }) {
    for await (const page of scan()) {
      const changed = change(page);
      if (changed) yield changed;
    }
  }, options);
}

export const deafTo = (): AbortSignal => new AbortController().signal;
