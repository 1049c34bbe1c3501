/** Kept scans over fakes, which know what must become of each scan, page and key. */
import { createCalls, hold, turns, untilOver } from '../walk.test.kit.js';
import { createClients } from './keptClients.test.kit.js';
import { createKeptModel } from './keptModel.test.kit.js';
import { request } from './keptScans.test.kit.js';
import { origins, serve, type Home, type Service, type World } from './keptWorld.test.kit.js';

export async function createWalk(home: Home, keepBytes: number) {
  const world: World = { home, service: await serve(home, keepBytes), hasCrashed: false };
  const calls = createCalls();
  const model = createKeptModel(world);
  const clients = createClients(world, model, calls);
  const clockOf = ({ clock }: Service) => (world.home.isSlow ? undefined : clock);
  const check = async (): Promise<void> => {
    calls.assertSound();
    await model.check();
  };

  const walk = {
    ...clients,
    idle: model.idle,
    check,
    /** The end of a scan counts: nothing runs while time passes. */
    async wait(ms: number) {
      const isIdle = (): boolean => calls.pending === 0 && model.all().every(({ state }) => state !== 'running');
      await untilOver('a scan', isIdle, clockOf(world.service));
      await check();
      await world.service.clock.advance(ms);
      await turns(5);
      await check();
    },
    load(sheets: number, jamAt: number) {
      if (world.service.driver.remaining() === 0) world.service.driver.load(sheets);
      world.service.driver.clearFaults();
      if (jamAt > 0) world.service.driver.fault(jamAt, 'paper-jam');
    },
    async restart(isCrash: boolean) {
      await model.learn();
      const old = world.service;
      const before = new Set(model.known.keys());
      world.hasCrashed = isCrash;
      if (isCrash) world.home = world.home.crash();
      let isClosed = false;
      void old.scans.close('The service stops.').then(() => (isClosed = true));
      await untilOver('the service', () => isClosed && calls.pending === 0, clockOf(old));
      calls.assertSound();
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
      await check();
    },
    async end() {
      await untilOver('a call', () => calls.pending === 0, clockOf(world.service));
      await turns(5);
      await check();
      await walk.restart(false);
      let isDone = false;
      for (const scan of model.idle()) for (const page of scan.pages) page.deliver();
      world.service.driver.load(2);
      void world.service.kept
        .start({ origin: origins[0], request: request() })
        .then(async ({ scan }) => {
          while (scan.state === 'running') await scan.changed();
          hold(
            scan.state === 'completed' && scan.pages.length === 2,
            () => `the next scan: ${scan.state}, ${scan.pages.length} pages`,
          );
          isDone = true;
        })
        .catch(calls.fail);
      await untilOver('the next scan', () => isDone || calls.haveFailed, clockOf(world.service));
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
