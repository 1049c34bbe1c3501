/** Kept scans over fakes, which know what must become of each scan, page and key. */
import { createCalls, hold, turns, untilOver } from '../walk.test.kit.js';
import { createClients } from './keptClients.test.kit.js';
import { createLines } from './keptLines.test.kit.js';
import { createKeptModel } from './keptModel.test.kit.js';
import { request } from './keptScans.test.kit.js';
import {
  idOf,
  origins,
  scanners,
  serve,
  type Home,
  type ScannerName,
  type Service,
  type World,
} from './keptWorld.test.kit.js';

export async function createWalk(home: Home, keepBytes: number) {
  const world: World = { home, service: await serve(home, keepBytes), hasCrashed: false, isStopping: false };
  const calls = createCalls();
  const model = createKeptModel(world);
  const lines = createLines(world);
  const clients = createClients(world, model, lines, calls);
  const clockOf = ({ clock }: Service) => (world.home.isSlow ? undefined : clock);
  const check = async (): Promise<void> => {
    calls.assertSound();
    await model.check();
    lines.check(model.all());
  };
  const assertFree = ({ devices, scans }: Service): void => {
    for (const known of devices.known())
      hold(scans.useOf(known, '') === undefined, () => `somebody uses ${known.name}, and nothing runs`);
    hold(scans.load().scans === 0, () => `${scans.load().scans} scans run`);
  };
  const isIdle = (): boolean => calls.pending === 0 && model.all().every(({ state }) => state !== 'running');

  const walk = {
    ...clients,
    idle: model.idle,
    check,
    /** The end of a scan counts: nothing runs while time passes. */
    async wait(ms: number) {
      world.service.driver.release();
      await untilOver('a scan', isIdle, clockOf(world.service));
      await check();
      assertFree(world.service);
      await world.service.clock.advance(ms);
      await turns(5);
      await check();
    },
    /** Time passes while scans run and wait. */
    async pass(ms: number) {
      await check();
      await world.service.clock.advance(ms);
      await turns(5);
      await check();
    },
    load(name: ScannerName, sheets: number, jamAt: number) {
      const { driver } = world.service;
      const id = idOf(name);
      if (driver.remaining(id) === 0) driver.load(sheets, id);
      driver.clearFaults(id);
      if (jamAt > 0) driver.fault(jamAt, 'paper-jam', id);
    },
    /** Keeps the next page of a scanner in its path; without a name, lets all pages go. */
    hold(name: ScannerName | undefined) {
      if (name === undefined) world.service.driver.release();
      else world.service.driver.hold(idOf(name));
    },
    async restart(isCrash: boolean) {
      await model.learn();
      const old = world.service;
      const before = new Set(model.known.keys());
      Object.assign(world, { hasCrashed: isCrash, isStopping: true });
      if (isCrash) world.home = world.home.crash();
      old.driver.release();
      let isClosed = false;
      void old.scans.close('The service stops.').then(() => (isClosed = true));
      await untilOver('the service', () => isClosed && calls.pending === 0, clockOf(old));
      calls.assertSound();
      assertFree(old);
      // Answers that were not sent.
      if (!isCrash) await model.learn();
      // What began after the crash began elsewhere, and an answer may have been sent and half removed at the crash.
      else for (const [id, { isAnswer }] of model.known) if (!before.has(id) || isAnswer) model.known.delete(id);
      world.service = await serve(world.home, keepBytes, old.clock.now());
      world.hasCrashed = false;
      // Nobody waits for an answer any more.
      const ended = { from: 0, to: world.service.clock.now() };
      for (const scan of model.all())
        if (!model.known.has(scan.id)) Object.assign(model.knownOf(scan), { isAnswer: false, ended });
      hold(old.clock.timers === 0, () => `${old.clock.timers} timers are left`);
      clients.forgetKeys();
      lines.restart();
      await check();
      world.isStopping = false;
    },
    async end() {
      world.service.driver.release();
      await untilOver('a call', () => calls.pending === 0, clockOf(world.service));
      await turns(5);
      await check();
      assertFree(world.service);
      await walk.restart(false);
      for (const scan of model.idle()) for (const page of scan.pages) page.deliver();
      world.service.driver.release();
      let done = 0;
      const next = async (scannerName: ScannerName): Promise<void> => {
        world.service.driver.load(2 - world.service.driver.remaining(idOf(scannerName)), idOf(scannerName));
        const { scan } = await world.service.kept.start({ origin: origins[0], request: request({ scannerName }) });
        while (scan.state === 'running') await scan.changed();
        hold(
          scan.state === 'completed' && scan.pages.length === 2,
          () => `the next scan: ${scan.state}, ${scan.pages.length} pages`,
        );
        done++;
      };
      for (const name of scanners) next(name).catch(calls.fail);
      await untilOver('the next scans', () => done === scanners.length || calls.haveFailed, clockOf(world.service));
      calls.assertSound();
      let isClosed = false;
      void world.service.scans.close('The test is over.').then(() => (isClosed = true));
      await untilOver('the service', () => isClosed, clockOf(world.service));
      hold(world.service.clock.timers === 0, () => `${world.service.clock.timers} timers are left`);
    },
  };
  return walk;
}

export type Walk = Awaited<ReturnType<typeof createWalk>>;
