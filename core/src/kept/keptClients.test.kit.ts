/** What clients do in a walk over kept scans: start, wait for, collect, continue, cancel, fetch and release them. */
import { codeOf } from '../contract/errors.js';
import { optionsWith } from '../service.test.kit.js';
import { hold, type Calls } from '../walk.test.kit.js';
import type { KeptModel } from './keptModel.test.kit.js';
import type { KeptScan } from './keptScan.js';
import type { KeptScans } from './keptScans.js';
import type { Call, Lines, Use } from './keptLines.test.kit.js';
import { request } from './keptScans.test.kit.js';
import type { Origin, ScannerName, World } from './keptWorld.test.kit.js';
import { KEY_MS } from './requestKeys.js';

/** With which a scan is refused before it feeds. */
const refusals = ['busy', 'storage-full', 'no-paper', 'paper-jam', 'service-ended', 'cancelled', 'timeout'];

/** A scan that is kept, as a client asks for it. */
export interface Start extends Call {
  readonly key?: string | undefined;
  /** Sheets at most; 0: all that are in the feeder. */
  readonly sheets: number;
  /** Whether its client asks for it then. */
  readonly stays: boolean;
}

export function createClients(world: World, model: KeptModel, lines: Lines, calls: Calls) {
  const keys = new Map<string, { readonly id: string; readonly at: number }>();

  const watch = (ending: Promise<void>): void => calls.settle(ending, []);
  const requestOf = (scannerName: ScannerName, sheets = 0) =>
    request({ scannerName, options: optionsWith(sheets > 0 ? { sheets } : {}) });
  /** Checks why a call is refused. */
  const made = <T>(use: Use, call: Promise<T>): Promise<T> =>
    call.catch((error: unknown) => {
      lines.refused(use, codeOf(error));
      throw error;
    });

  return {
    start({ key, sheets, stays, ...call }: Start) {
      const { origin, scannerName, waitMs } = call;
      const name = `${origin} ${key}`;
      const at = world.service.clock.now();
      const its = { origin, request: requestOf(scannerName, sheets), ...(waitMs === undefined ? {} : { waitMs }) };
      const keyed = key === undefined ? {} : { key, body: `${scannerName} ${sheets}` };
      const codes = key === undefined ? refusals : [...refusals, 'invalid-value'];
      const use = lines.call(call);
      calls.settle(made(use, world.service.kept.start({ ...its, ...keyed })), codes, ({ scan, isNew }) => {
        const earlier = keys.get(name);
        const isAlive = earlier !== undefined && at - earlier.at < KEY_MS;
        if (isNew) {
          model.knownOf(scan).isAnswer = false;
          watch(lines.accepted(use, scan));
        } else lines.repeated(use);
        if (stays) lines.attend(lines.useOf(scan) ?? use, scan);
        if (key === undefined) return hold(isNew, () => 'a scan without a key is not new');
        if (isNew) hold(!isAlive, () => `the key ${key} started another scan`);
        else hold(earlier === undefined || earlier.id === scan.id, () => `the key ${key} gives another scan`);
        if (isNew) keys.set(name, { id: scan.id, at });
      });
    },
    collect(origin: Origin, scannerName: ScannerName, isRead: boolean) {
      let collecting: ReturnType<KeptScans['collect']>;
      try {
        collecting = world.service.kept.collect({ origin, request: requestOf(scannerName) });
      } catch (error) {
        return hold(codeOf(error) === 'busy' && world.isStopping, () => `collecting failed with ${String(error)}`);
      }
      const { run, pages, end } = collecting;
      const use = lines.call({ origin, scannerName, pages });
      calls.settle(run.over, [], async error => {
        lines.refused(use, error?.code);
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
      const { scannerName, pages } = scan;
      const use = lines.call({ origin: its.origin as Origin, scannerName: scannerName as ScannerName, pages });
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
      const asked = made(use, world.service.kept.continue(scan)).then(
        () => answered(true),
        (error: unknown) => {
          answered(false);
          throw error;
        },
      );
      calls.settle(asked, [...refusals, 'invalid-value'], () => watch(lines.accepted(use, scan)));
    },
    ...whoEndOrLeave(world, model, lines),
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

/** Clients that cancel scans, hang up and come back. */
function whoEndOrLeave(world: World, model: KeptModel, lines: Lines) {
  const running = (): KeptScan[] => model.all().filter(({ state }) => state === 'running');
  return {
    /** One that scans or waits. */
    cancel(place: number) {
      const all = running();
      const scan = all[place % Math.max(1, all.length)];
      if (!scan) return;
      lines.cancel(({ pages }) => pages === scan.pages);
      scan.cancel();
    },
    /** All of a web page; all that there are, by a program. */
    cancelAll(origin: Origin) {
      lines.cancel(use => origin === '' || use.origin === origin);
      world.service.scans.cancel(origin);
    },
    /** The client of one that waits or scans leaves, or comes back. */
    attend(place: number, comes: boolean) {
      const all = running();
      const inLine = all.filter(({ progress }) => progress.placeInLine !== undefined);
      const some = inLine.length > 0 ? inLine : all;
      const scan = some[place % Math.max(1, some.length)];
      const use = scan && lines.useOf(scan);
      if (!use) return;
      if (comes) lines.attend(use, scan);
      else lines.hangUp(use);
    },
  };
}
