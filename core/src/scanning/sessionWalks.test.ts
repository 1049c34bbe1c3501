/**
 * Random walks over the scan machine: four clients, three scanners, cancels, disconnected clients, faults, unplugged
 * scanners, a lost link, full disks, and drivers that answer late. Each page is delivered once and in order, a scan ends
 * with a code that something caused on its own scanner, and the next scan works.
 */
import { fakeDriver, type FakeFault } from '@platen/conformance';
import * as fc from 'fast-check';
import type { Driver } from '../contract/driver.js';
import { codeOf, ScanError } from '../contract/errors.js';
import { fakeService, inFront, type CollectedRun, type Wished } from '../service.test.kit.js';
import { command, commands, createGate, hold, testWalks, turns, untilOver } from '../walk.test.kit.js';

const RUNS = 400;
const names = ['Desk', 'Hall', 'Till'] as const;
const origins = ['', 'https://a.example', 'https://b.example', 'https://c.example'] as const;
type Name = (typeof names)[number];
const idOf = (name: Name): string => `fake-${names.indexOf(name) + 1}`;

const faults = ['paper-jam', 'double-feed', 'cover-open', 'driver-failed', 'device-offline', 'hang', 'torn'] as const;
const codeOfFault = (fault: FakeFault): string =>
  fault === 'hang' ? 'timeout' : fault === 'torn' ? 'driver-failed' : fault;

/** How the pages of a client are stored. */
interface Storing {
  readonly turns: number;
  readonly isFull: boolean;
}

interface Client {
  readonly run: CollectedRun;
  readonly name: Name;
  readonly origin: string;
  /** Codes with which it may end. */
  readonly causes: Set<string>;
  readonly duplex: boolean;
  isOver: boolean;
}

function createWalk() {
  const driver = fakeDriver({
    devices: [{ name: 'Desk', flatbed: false }, { name: 'Hall' }, { name: 'Till', flatbed: false }],
    page: { width: 8, height: 4 },
    link: { connected: true },
  });
  const gate = createGate();
  /** Pages that the driver gave away, and pages that clients got, by scanner: all of them, in order. */
  const byScanner = (): Record<Name, string[]> => ({ Desk: [], Hall: [], Till: [] });
  const given = byScanner();
  const got = byScanner();
  const wrapped = inFront(driver, session => ({
    capabilities: call => gate.pass(session.capabilities(call), 'capabilities'),
    status: call => gate.pass(session.status(call), 'status'),
    close: () => gate.pass(session.close(), 'close'),
    async *scan(order, call) {
      for await (const page of session.scan(order, call)) {
        // Nobody takes the page of a scan that was abandoned.
        if (!call.signal.aborted) given[session.device.name as Name].push(`${page.sheet} ${page.side}`);
        yield page;
      }
    },
  }));
  const open: Driver['open'] = async (id, call) => {
    const session = await wrapped.open(id, call);
    return gate.pass(Promise.resolve(session), 'open').catch((error: unknown) => {
      void session.close().catch(() => undefined);
      throw error;
    });
  };
  const front = Object.create(wrapped, { open: { value: open } }) as Driver;
  const { scans, clock, scan } = fakeService(front);
  const clients: Client[] = [];
  /** What holds for each scan that runs now or begins: unplugged scanners, faults, by scanner. */
  const conditions: Record<Name, Set<string>> = { Desk: new Set(), Hall: new Set(), Till: new Set() };
  let calls = 0;
  let connected = true;

  const live = (): Client[] => clients.filter(({ isOver }) => !isOver);
  const cause = (code: string, name?: Name): void => {
    for (const each of live()) if (name === undefined || each.name === name) each.causes.add(code);
  };
  /** The scanner itself is busy while it is opened or closed. */
  const isMoving = (): boolean => calls > 0 || gate.waiting.some(each => each === 'open' || each === 'close');

  const check = ({ run, causes, duplex, name }: Client, error: ScanError | undefined): void => {
    const pages = run.got.map(({ sheet, side }) => `${sheet} ${side}`);
    const sides = duplex ? ['front', 'back'] : ['front'];
    const expected = pages.map((_, i) => `${1 + Math.floor(i / sides.length)} ${sides[i % sides.length]}`);
    // The flatbed has one side.
    const isFlatbed = name === 'Hall' && pages.length === 1;
    hold(isFlatbed || pages.join() === expected.join(), () => `pages in the order ${pages.join()}`);
    hold(
      run.got.every(({ pageNumber }, i) => pageNumber === i + 1),
      () => `numbers ${run.got.map(({ pageNumber }) => pageNumber).join()}`,
    );
    if (error) hold(causes.has(error.code), () => `it ended with ${error.code}: ${error.message}`);
    else hold(pages.length > 0, () => 'it is complete, without pages');
    if (!error && duplex && !isFlatbed) hold(pages.length % 2 === 0, () => `complete, with ${pages.join()}`);
  };

  const problems: Error[] = [];
  const start = (
    wished: Wished & { readonly scannerName: Name },
    storing: Storing = { turns: 0, isFull: false },
  ): Client | undefined => {
    const duplex = wished.duplexMode !== undefined;
    let run: CollectedRun;
    const { scannerName: name, origin = '' } = wished;
    const before = live().filter(each => each.name === name);
    try {
      run = scan(wished, async ({ sheet, side }) => {
        got[name].push(`${sheet} ${side}`);
        await turns(storing.turns);
        return storing.isFull ? new ScanError('storage-failed', 'The disk is full.') : undefined;
      });
    } catch (error) {
      hold(!connected && codeOf(error) === 'not-connected', () => `refused with ${String(error)}`);
      return undefined;
    }
    const causes = new Set(conditions[name]);
    if (storing.isFull) causes.add('storage-failed');
    // A feeder that is empty now, or while the scanner is asked.
    if (name !== 'Hall' && driver.remaining(idOf(name)) === 0) causes.add('no-paper');
    if (before.length > 0 || isMoving()) causes.add('busy');
    for (const each of before) each.causes.add('busy');
    const client: Client = { run, name, origin, causes, duplex, isOver: false };
    clients.push(client);
    void run.over.then(error => {
      client.isOver = true;
      try {
        check(client, error);
      } catch (problem) {
        problems.push(problem as Error);
      }
    });
    return client;
  };

  /** A call of another client meanwhile. */
  const call = (made: Promise<unknown>, ...allowed: string[]): void => {
    calls++;
    cause('busy');
    void made
      .catch((error: unknown) => {
        const code = String(codeOf(error));
        const isKnown = ['busy', 'not-connected', 'device-offline', 'no-source-open', 'timeout', ...allowed].includes(
          code,
        );
        if (!isKnown) problems.push(new Error(`a call failed with ${String(error)}`, { cause: error }));
      })
      .finally(() => calls--);
  };

  return {
    driver,
    gate,
    scans,
    clock,
    conditions,
    live,
    cause,
    start,
    call,
    setConnected(on: boolean) {
      connected = on;
      if (on) return driver.connect();
      cause('not-connected');
      driver.disconnect();
      gate.fail(new ScanError('not-connected', 'the link was lost'));
    },
    assertSound() {
      if (problems[0]) throw problems[0];
    },
    /** Everything is well again. */
    async end() {
      this.setConnected(true);
      for (const name of names) {
        conditions[name].clear();
        driver.clearFaults(idOf(name));
        driver.plug(idOf(name));
      }
      driver.release();
      await untilOver('a scan', () => live().length === 0 && calls === 0, clock, gate);
      await untilOver('a late answer', () => gate.waiting.length === 0, clock, gate);
      await turns(10);
      this.assertSound();
      for (const its of names)
        hold(
          given[its].join() === got[its].join(),
          () => `${its} gave ${given[its].join()}; clients got ${got[its].join()}`,
        );
      if (driver.remaining('fake-1') === 0) driver.load(2, 'fake-1');
      const sheets = driver.remaining('fake-1');
      const next = start({ scannerName: 'Desk' });
      hold(next !== undefined, () => 'the next scan was refused');
      next.causes.clear();
      await untilOver('the next scan', () => next.isOver, clock, gate);
      this.assertSound();
      hold(next.run.got.length === sheets, () => `the next scan has ${next.run.got.length} of ${sheets} pages`);
      let isClosed = false;
      void scans.close('The test is over.').then(() => (isClosed = true));
      await untilOver('the service', () => isClosed, clock, gate);
      hold(driver.opened === driver.closed, () => `${driver.opened} sessions were opened, ${driver.closed} closed`);
      hold(clock.timers === 0, () => `${clock.timers} timers are left`);
    },
  };
}
type Walk = ReturnType<typeof createWalk>;

const name = fc.constantFrom(...names);
const steps = [
  commands(
    'scan',
    fc.record({
      scannerName: name,
      origin: fc.constantFrom(...origins),
      requestId: fc.constantFrom('a', 'b'),
      duplex: fc.boolean(),
      storing: fc.record({ turns: fc.constantFrom(0, 0, 5, 40), isFull: fc.nat(9).map(n => n === 0) }),
    }),
    (walk: Walk, { duplex, storing, ...wished }) =>
      walk.start({ ...wished, ...(duplex ? { duplexMode: 'DuplexLongEdge' as const } : {}) }, storing),
  ),
  commands('load', fc.tuple(name, fc.integer({ min: 1, max: 3 })), (walk: Walk, [its, sheets]) =>
    walk.driver.load(sheets, idOf(its)),
  ),
  commands('answer', fc.array(fc.nat(5), { minLength: 1, maxLength: 4 }), async (walk: Walk, places) => {
    for (const place of places) {
      walk.gate.letGo(place);
      await turns(2);
    }
  }),
  commands('turn', fc.integer({ min: 1, max: 30 }), (_: Walk, count) => turns(count)),
  commands(
    'cancel',
    fc.tuple(fc.constantFrom(...origins), fc.constantFrom('a', 'b', undefined)),
    async (walk: Walk, [by, id]) => {
      const meant = walk
        .live()
        .filter(({ run, origin }) => (by === '' || origin === by) && (id === undefined || run.requestId === id));
      for (const each of meant) each.causes.add('cancelled');
      if (walk.scans.cancel(by, id)) return;
      // What ends at this moment may be unknown already.
      await turns(2);
      hold(
        meant.every(({ isOver }) => isOver),
        () => 'a scan that runs cannot be cancelled',
      );
    },
  ),
  commands(
    'hang up',
    fc.nat(5),
    (walk: Walk, place) => {
      const its = walk.live()[place % walk.live().length];
      its?.causes.add('cancelled');
      its?.run.end(new ScanError('cancelled', 'The client disconnected.'));
    },
    walk => walk.live().length > 0,
  ),
  commands(
    'fault',
    fc.tuple(name, fc.integer({ min: 1, max: 3 }), fc.constantFrom(...faults)),
    (walk: Walk, [its, sheet, fault]) => {
      walk.driver.fault(sheet, fault, idOf(its));
      walk.conditions[its].add(codeOfFault(fault));
      walk.cause(codeOfFault(fault), its);
    },
  ),
  commands('mend', name, (walk: Walk, its) => {
    walk.driver.clearFaults(idOf(its));
    walk.driver.plug(idOf(its));
    walk.conditions[its].clear();
  }),
  commands('unplug', name, (walk: Walk, its) => {
    walk.driver.unplug(idOf(its));
    walk.conditions[its].add('device-offline');
    walk.cause('device-offline', its);
  }),
  commands('connected', fc.boolean(), (walk: Walk, on) => walk.setConnected(on)),
  commands('hold', fc.boolean(), (walk: Walk, held) => {
    if (held) for (const its of names) walk.driver.hold(idOf(its));
    else walk.driver.release();
  }),
  commands('open', name, (walk: Walk, its) => walk.call(walk.scans.open(its))),
  fc.constant(command<Walk>('close', walk => walk.call(walk.scans.closeSource()))),
  commands('ask', fc.constantFrom('status', 'capabilities', 'list'), (walk: Walk, what) =>
    walk.call(walk.scans[what]()),
  ),
  commands('wait', fc.constantFrom(1000, 6000, 40_000, 400_000), async (walk: Walk, ms) => {
    walk.cause('timeout');
    await walk.clock.advance(ms);
  }),
];

await testWalks(
  'scans: random walks, each page once and in order, causes of every end, the next scan works',
  RUNS,
  steps,
  createWalk,
);
