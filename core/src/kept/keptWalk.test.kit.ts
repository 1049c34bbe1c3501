/** Kept scans over fakes, which know what must become of each scan, page and key. */
import { fakeDriver } from '@platen/conformance';
import { codeOf } from '../contract/errors.js';
import { fakeService } from '../service.test.kit.js';
import { hold, turns, untilOver } from '../walk.test.kit.js';
import type { KeptScans } from './keptScans.js';
import { DAY, hexOf, request } from './keptScans.test.kit.js';
import type { KeptScan } from './keptScan.js';
import type { ScanState } from './scanFacts.js';
import { KEY_MS } from './requestKeys.js';
import type { ScanStore } from './scanStore.js';

export const origins = ['https://shop.example', 'https://bank.example'] as const;
export type Origin = (typeof origins)[number];

/** Where scans outlive the service. */
export interface Home {
  open(): Promise<ScanStore>;
  readonly spare: Omit<ScanStore, 'found'>;
  /** Resolves when it is known there that a client has the page. */
  delivered(id: string, page: number): Promise<void>;
  /** Its work takes time that no fake clock knows. */
  readonly isSlow: boolean;
  /** What a crash at this moment leaves. */
  crash(): Home;
}

interface Known {
  readonly origin: string;
  /** The page's bytes, by its number. */
  readonly pages: Map<number, string>;
  readonly delivered: Set<number>;
  state: ScanState;
  /** When it ended, by the system clock: a crash can leave either of two ends. Undefined while it runs. */
  ended: { readonly from: number; readonly to: number } | undefined;
  /** Its client waits for one answer: it may go with that. */
  isAnswer: boolean;
  /** Asked to scan on: it may run, and end, before that is answered. */
  continues: boolean;
}

const after: Readonly<Record<ScanState, readonly ScanState[]>> = {
  running: ['completed', 'failed', 'cancelled', 'interrupted'],
  completed: ['running'],
  failed: ['running'],
  cancelled: ['running'],
  interrupted: ['running'],
};
/** With which a scan is refused before it feeds. */
const refusals = ['busy', 'storage-full', 'no-paper', 'paper-jam', 'service-ended', 'cancelled', 'timeout'];

export async function createWalk(first: Home, keepBytes: number) {
  const known = new Map<string, Known>();
  const keys = new Map<string, { readonly id: string; readonly body: string; readonly at: number }>();
  const problems: Error[] = [];
  let home = first;
  let pending = 0;
  /** What the old service does counts no more. */
  let hasCrashed = false;

  const serve = async (now?: number) => {
    const driver = fakeDriver({ devices: [{ flatbed: false }], page: { width: 8, height: 4 } });
    const { scans, clock } = fakeService(driver, {
      keep: { keepMs: DAY, keepBytes },
      store: await home.open(),
      spare: home.spare,
      ...(now === undefined ? {} : { now }),
    });
    return { driver, scans, clock, kept: scans.kept };
  };
  let service = await serve();
  const clockOf = ({ clock }: typeof service) => (home.isSlow ? undefined : clock);

  const failed = (error: unknown): void => void problems.push(error as Error);
  /** @param codes with which it may fail */
  const settle = <T>(made: Promise<T>, codes: readonly string[], done: (value: T) => unknown): void => {
    pending++;
    made
      .then(done, (error: unknown) => {
        if (!codes.includes(String(codeOf(error)))) throw error;
      })
      .catch(failed)
      .finally(() => pending--);
  };
  const all = (): readonly KeptScan[] => origins.flatMap(each => service.kept.list(each));
  const idle = (): KeptScan[] =>
    all().filter(({ id, state }) => state !== 'running' && known.get(id)?.isAnswer !== true);

  /** One that was not started is that of an answer. */
  const knownOf = ({ id, origins: [origin = ''] }: KeptScan): Known => {
    const its = known.get(id) ?? {
      origin,
      pages: new Map(),
      delivered: new Set(),
      state: 'running',
      ended: undefined,
      isAnswer: true,
      continues: false,
    };
    known.set(id, its);
    return its;
  };
  /** Each page that is announced now must be there from now on. */
  const learn = async (): Promise<void> => {
    for (const scan of all()) {
      const its = knownOf(scan);
      if (its.continues) continue;
      hold(scan.state === its.state || after[its.state].includes(scan.state), () => `${its.state}, then ${scan.state}`);
      const now = service.clock.now();
      its.ended = scan.state === 'running' ? undefined : (its.ended ?? { from: now, to: now });
      its.state = scan.state;
      for (const [at, page] of [...scan.pages].entries()) {
        hold(page.page.pageNumber === at + 1, () => `page ${page.page.pageNumber} comes at place ${at + 1}`);
        const bytes = its.pages.get(at + 1) ?? (await hexOf(page));
        its.pages.set(at + 1, bytes);
      }
      for (const other of origins)
        hold(
          other === its.origin || !service.kept.find(other, scan.id),
          () => `${other} finds a scan of ${its.origin}`,
        );
    }
  };
  const check = async (): Promise<void> => {
    if (problems[0]) throw problems[0];
    for (const [id, { origin, pages, delivered, ended, isAnswer, continues }] of known) {
      const scan = service.kept.find(origin, id);
      if (continues) continue;
      const isOldSince = (end: number | undefined): boolean =>
        end !== undefined && service.clock.now() - end >= (pages.size > 0 ? DAY : KEY_MS);
      const isOld = isOldSince(ended?.to);
      // A scan that its client has makes room for others.
      const mayGo = isAnswer || isOldSince(ended?.from) || (delivered.size > 0 && delivered.size >= pages.size);
      if (!scan && mayGo) known.delete(id);
      else if (isOld && !isAnswer) hold(!scan, () => `${id} is too old, and there`);
      else if (!isAnswer)
        hold((scan?.pages.length ?? -1) >= pages.size, () => `${id} has ${scan?.pages.length} of ${pages.size} pages`);
    }
    await learn();
  };

  const walk = {
    idle,
    check,
    /** The end of a scan counts: nothing runs while time passes. */
    async wait(ms: number) {
      const isIdle = (): boolean => pending === 0 && all().every(({ state }) => state !== 'running');
      await untilOver('a scan', isIdle, clockOf(service));
      await check();
      await service.clock.advance(ms);
      await turns(5);
      await check();
    },
    load(sheets: number, jamAt: number) {
      if (service.driver.remaining() === 0) service.driver.load(sheets);
      service.driver.clearFaults();
      if (jamAt > 0) service.driver.fault(jamAt, 'paper-jam');
    },
    start(origin: Origin, key: string | undefined, body: string) {
      const name = `${origin} ${key}`;
      const at = service.clock.now();
      const keyed = key === undefined ? {} : { key, body };
      const codes = key === undefined ? refusals : [...refusals, 'invalid-value'];
      settle(service.kept.start({ origin, request: request(), ...keyed }), codes, ({ scan, isNew }) => {
        const earlier = keys.get(name);
        const isAlive = earlier !== undefined && at - earlier.at < KEY_MS;
        if (isNew) knownOf(scan).isAnswer = false;
        if (key === undefined) return hold(isNew, () => 'a scan without a key is not new');
        if (isNew) hold(!isAlive, () => `the key ${key} started another scan`);
        else hold(earlier === undefined || earlier.id === scan.id, () => `the key ${key} gives another scan`);
        if (isNew) keys.set(name, { id: scan.id, body, at });
      });
    },
    collect(origin: Origin, isRead: boolean) {
      let collecting: ReturnType<KeptScans['collect']>;
      try {
        collecting = service.kept.collect({ origin, request: request() });
      } catch (error) {
        return hold(codeOf(error) === 'busy', () => `collecting failed with ${String(error)}`);
      }
      const { run, pages, end } = collecting;
      settle(run.over, [], async error => {
        hold(error === undefined || refusals.includes(error.code), () => `it ended with ${error?.code}`);
        hold(
          pages.every(({ page }, i) => page.pageNumber === i + 1),
          () => 'pages are not in order',
        );
        const own = all().find(scan => scan.pages === pages);
        await end(isRead);
        if (hasCrashed) return;
        await learn();
        // What was not sent stays, if there is any of it.
        const its = own && known.get(own.id);
        if (its) its.isAnswer = !service.kept.find(its.origin, own.id);
      });
    },
    continue(scan: KeptScan) {
      const its = known.get(scan.id);
      if (its?.continues !== false) return;
      its.continues = true;
      const answered = (isAccepted: boolean): void => {
        its.continues = false;
        // A crash before the answer leaves it as it was, or interrupted.
        if (hasCrashed)
          Object.assign(its, { state: 'running', ended: { from: its.ended?.from ?? 0, to: service.clock.now() } });
        else if (isAccepted) Object.assign(its, { state: 'running', ended: undefined });
      };
      const asked = service.kept.continue(scan).then(
        () => answered(true),
        (error: unknown) => {
          answered(false);
          throw error;
        },
      );
      settle(asked, [...refusals, 'invalid-value'], () => undefined);
    },
    cancel() {
      for (const scan of all()) if (scan.state === 'running') scan.cancel();
    },
    async deliver(scan: KeptScan, place: number) {
      const page = scan.pages[place % Math.max(1, scan.pages.length)];
      if (!page) return;
      page.deliver();
      known.get(scan.id)?.delivered.add(page.page.pageNumber);
      await home.delivered(scan.id, page.page.pageNumber);
    },
    async release(scan: KeptScan) {
      const its = known.get(scan.id);
      known.delete(scan.id);
      await service.kept.release(scan.id).catch((error: unknown) => {
        hold(codeOf(error) === 'busy', () => `releasing failed with ${String(error)}`);
        if (its) known.set(scan.id, its);
      });
    },
    async restart(isCrash: boolean) {
      await learn();
      const old = service;
      const before = new Set(known.keys());
      hasCrashed = isCrash;
      if (isCrash) home = home.crash();
      let isClosed = false;
      void old.scans.close('The service stops.').then(() => (isClosed = true));
      await untilOver('the service', () => isClosed && pending === 0, clockOf(old));
      if (problems[0]) throw problems[0];
      // Answers that were not sent.
      if (!isCrash) await learn();
      // What began after the crash began elsewhere, and an answer may have been sent and half removed at the crash.
      else for (const [id, { isAnswer }] of known) if (!before.has(id) || isAnswer) known.delete(id);
      service = await serve(old.clock.now());
      hasCrashed = false;
      // Nobody waits for an answer any more.
      const ended = { from: 0, to: service.clock.now() };
      for (const scan of all()) if (!known.has(scan.id)) Object.assign(knownOf(scan), { isAnswer: false, ended });
      hold(old.clock.timers === 0, () => `${old.clock.timers} timers are left`);
      for (const [name, { id }] of keys) if (!service.kept.find(name.split(' ')[0] ?? '', id)) keys.delete(name);
      await check();
    },
    async end() {
      await untilOver('a call', () => pending === 0, clockOf(service));
      await turns(5);
      await check();
      await walk.restart(false);
      let isDone = false;
      for (const scan of idle()) for (const page of scan.pages) page.deliver();
      service.driver.load(2);
      void service.kept
        .start({ origin: origins[0], request: request() })
        .then(async ({ scan }) => {
          while (scan.state === 'running') await scan.changed();
          hold(
            scan.state === 'completed' && scan.pages.length === 2,
            () => `the next scan: ${scan.state}, ${scan.pages.length} pages`,
          );
          isDone = true;
        })
        .catch(failed);
      await untilOver('the next scan', () => isDone || problems.length > 0, clockOf(service));
      if (problems[0]) throw problems[0];
      let isClosed = false;
      void service.scans.close('The test is over.').then(() => (isClosed = true));
      await untilOver('the service', () => isClosed, clockOf(service));
      hold(service.clock.timers === 0, () => `${service.clock.timers} timers are left`);
    },
  };
  return walk;
}
export type Walk = Awaited<ReturnType<typeof createWalk>>;
