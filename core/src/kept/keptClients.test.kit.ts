/** What clients do in a walk over kept scans: start, collect, continue, fetch and release them. */
import { codeOf } from '../contract/errors.js';
import { hold, type Calls } from '../walk.test.kit.js';
import type { KeptModel } from './keptModel.test.kit.js';
import type { KeptScan } from './keptScan.js';
import type { KeptScans } from './keptScans.js';
import { request } from './keptScans.test.kit.js';
import type { Origin, World } from './keptWorld.test.kit.js';
import { KEY_MS } from './requestKeys.js';

/** With which a scan is refused before it feeds. */
const refusals = ['busy', 'storage-full', 'no-paper', 'paper-jam', 'service-ended', 'cancelled', 'timeout'];

export function createClients(world: World, model: KeptModel, calls: Calls) {
  const keys = new Map<string, { readonly id: string; readonly body: string; readonly at: number }>();

  return {
    start(origin: Origin, key: string | undefined, body: string) {
      const name = `${origin} ${key}`;
      const at = world.service.clock.now();
      const keyed = key === undefined ? {} : { key, body };
      const codes = key === undefined ? refusals : [...refusals, 'invalid-value'];
      calls.settle(world.service.kept.start({ origin, request: request(), ...keyed }), codes, ({ scan, isNew }) => {
        const earlier = keys.get(name);
        const isAlive = earlier !== undefined && at - earlier.at < KEY_MS;
        if (isNew) model.knownOf(scan).isAnswer = false;
        if (key === undefined) return hold(isNew, () => 'a scan without a key is not new');
        if (isNew) hold(!isAlive, () => `the key ${key} started another scan`);
        else hold(earlier === undefined || earlier.id === scan.id, () => `the key ${key} gives another scan`);
        if (isNew) keys.set(name, { id: scan.id, body, at });
      });
    },
    collect(origin: Origin, isRead: boolean) {
      let collecting: ReturnType<KeptScans['collect']>;
      try {
        collecting = world.service.kept.collect({ origin, request: request() });
      } catch (error) {
        return hold(codeOf(error) === 'busy', () => `collecting failed with ${String(error)}`);
      }
      const { run, pages, end } = collecting;
      calls.settle(run.over, [], async error => {
        hold(error === undefined || refusals.includes(error.code), () => `it ended with ${error?.code}`);
        hold(
          pages.every(({ page }, i) => page.pageNumber === i + 1),
          () => 'pages are not in order',
        );
        const own = model.all().find(scan => scan.pages === pages);
        await end(isRead);
        if (world.hasCrashed) return;
        await model.learn();
        // What was not sent stays, if there is any of it.
        const its = own && model.known.get(own.id);
        if (its) its.isAnswer = !world.service.kept.find(its.origin, own.id);
      });
    },
    continue(scan: KeptScan) {
      const its = model.known.get(scan.id);
      if (its?.continues !== false) return;
      its.continues = true;
      const answered = (isAccepted: boolean): void => {
        its.continues = false;
        // A crash before the answer leaves it as it was, or interrupted.
        if (world.hasCrashed)
          Object.assign(its, {
            state: 'running',
            ended: { from: its.ended?.from ?? 0, to: world.service.clock.now() },
          });
        else if (isAccepted) Object.assign(its, { state: 'running', ended: undefined });
      };
      const asked = world.service.kept.continue(scan).then(
        () => answered(true),
        (error: unknown) => {
          answered(false);
          throw error;
        },
      );
      calls.settle(asked, [...refusals, 'invalid-value'], () => undefined);
    },
    cancel() {
      for (const scan of model.all()) if (scan.state === 'running') scan.cancel();
    },
    async deliver(scan: KeptScan, place: number) {
      const page = scan.pages[place % Math.max(1, scan.pages.length)];
      if (!page) return;
      page.deliver();
      model.known.get(scan.id)?.delivered.add(page.page.pageNumber);
      await world.home.delivered(scan.id, page.page.pageNumber);
    },
    async release(scan: KeptScan) {
      const its = model.known.get(scan.id);
      model.known.delete(scan.id);
      await world.service.kept.release(scan.id).catch((error: unknown) => {
        hold(codeOf(error) === 'busy', () => `releasing failed with ${String(error)}`);
        if (its) model.known.set(scan.id, its);
      });
    },
    /** Forgets keys of scans that are gone. */
    forgetKeys() {
      for (const [name, { id }] of keys) if (!world.service.kept.find(name.split(' ')[0] ?? '', id)) keys.delete(name);
    },
  };
}
