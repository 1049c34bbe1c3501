/** A complete driver in memory, with functions that load paper and cause faults, and counters of its calls. */
import type { Clock } from '@platen/core/driver';
import {
  type Device,
  type Driver,
  type DriverLink,
  ScanError,
  type ScanOrder,
  type Status,
  unlessAborted,
} from '@platen/core/plugin';
import { fakeScanner, unplug, type FakeFault, type FakeScanner } from './fakeScanner.js';
import { fakeSession, type FakeSessionOptions } from './fakeSession.js';

export interface FakeDriverOptions extends FakeSessionOptions {
  /** `fake` when absent. */
  readonly id?: string;
  /** Differences from a duplex scanner `fake-1` with feeder and flatbed; one such scanner when absent. */
  readonly devices?: readonly Partial<Device>[];
  /** Sheets in each feeder to begin with; none when absent. */
  readonly sheets?: number;
  /** By sheet, 1-based within a scan. */
  readonly faults?: Readonly<Record<number, FakeFault>>;
  /** Gives the driver a link: another program that `connect` and `disconnect` let come and go. */
  readonly link?: { readonly connected: boolean; readonly version?: string };
  /** Listing takes so long, or lasts until `discover` is called. */
  readonly discovery?: { readonly clock: Clock; readonly ms: number } | 'held';
}

export interface FakeDriver extends Driver {
  /** Sessions that were opened, and that were closed, so far. */
  readonly opened: number;
  readonly closed: number;
  /** Sheets that left a feeder so far. */
  readonly fed: number;
  /** Scans that began, and what each was asked for. */
  readonly scans: number;
  readonly orders: readonly ScanOrder[];
  /** Listings that began. */
  readonly discoveries: number;
  /** Sheets in the feeder. These functions act on the first scanner unless `deviceId` names another one. */
  remaining(deviceId?: string): number;
  load(sheets: number, deviceId?: string): void;
  /** What happens to the sheet of this number in the scans that follow. */
  fault(sheet: number, fault: FakeFault, deviceId?: string): void;
  clearFaults(deviceId?: string): void;
  /** What the paper sensor says; undefined: the truth again. */
  setPaper(paper: Status['paper'] | undefined, deviceId?: string): void;
  detect(detected: Status['detected'], deviceId?: string): void;
  press(deviceId?: string): void;
  unplug(deviceId?: string): void;
  plug(deviceId?: string): void;
  /** Keeps pages in the path until `release`. */
  hold(deviceId?: string): void;
  release(): void;
  /** Resolves as soon as so many sheets have been fed since the driver was made. */
  whenFed(sheets: number): Promise<void>;
  /** Lets held listings finish. */
  discover(): void;
  connect(version?: string): void;
  disconnect(): void;
}

const base: Device = {
  id: 'fake-1',
  name: 'Fake scanner',
  manufacturer: 'Platen',
  model: 'Fake',
  online: true,
  feeder: true,
  flatbed: true,
  duplex: true,
  feeding: 'perSheet',
};

export function fakeDriver(options: FakeDriverOptions = {}): FakeDriver {
  const scanners: FakeScanner[] = (options.devices ?? [{}]).map((device, i) =>
    fakeScanner({ ...base, id: `fake-${i + 1}`, ...device }, options.sheets ?? 0, options.faults ?? {}),
  );
  const seen = { opened: 0, closed: 0, fed: 0, discoveries: 0, orders: [] as ScanOrder[] };
  const watchers = new Set<() => void>();
  const linkListeners = new Set<(connected: boolean) => void>();
  const fedListeners = new Set<() => void>();
  let peer = options.link?.connected ? { version: options.link.version ?? '1.0.0' } : undefined;
  const discovered = gate(options.discovery === 'held');
  let released = gate(false);

  function find(deviceId?: string): FakeScanner {
    const found = deviceId === undefined ? scanners[0] : scanners.find(each => each.device.id === deviceId);
    if (!found) throw new ScanError('device-not-found', `the fake driver has no scanner ${deviceId ?? 'at all'}`);
    return found;
  }
  function requirePeer(): void {
    if (options.link && !peer)
      throw new ScanError('not-connected', 'the program that owns the scanners is not connected');
  }
  function tell(scanner: FakeScanner, event: 'paper' | 'button' | 'offline'): void {
    for (const watcher of scanner.watchers) watcher(event);
  }
  function setOnline(scanner: FakeScanner, online: boolean): void {
    if (online) scanner.unplugged = new AbortController();
    else unplug(scanner);
    if (!online) tell(scanner, 'offline');
    for (const watcher of watchers) watcher();
  }
  function setPeer(next: typeof peer): void {
    peer = next;
    const gone = new ScanError('not-connected', 'the program that owns the scanners went away');
    if (!peer) for (const scanner of scanners) scanner.end?.(gone);
    for (const listener of linkListeners) listener(peer !== undefined);
  }
  const link: DriverLink = {
    get peer() {
      return peer;
    },
    onChange: listener => subscribe(linkListeners, listener),
  };

  return {
    id: options.id ?? 'fake',
    ...(options.link ? { link } : {}),
    get opened() {
      return seen.opened;
    },
    get closed() {
      return seen.closed;
    },
    get fed() {
      return seen.fed;
    },
    get scans() {
      return seen.orders.length;
    },
    get orders() {
      return seen.orders;
    },
    get discoveries() {
      return seen.discoveries;
    },

    async *devices(call) {
      seen.discoveries++;
      call.signal.throwIfAborted();
      requirePeer();
      await discovery(options.discovery, discovered.passed, call.signal);
      for (const { device, unplugged } of scanners) yield { ...device, online: !unplugged.signal.aborted };
    },
    async open(deviceId, call) {
      call.signal.throwIfAborted();
      requirePeer();
      const scanner = find(deviceId);
      const session = fakeSession(scanner, options, {
        onFed() {
          seen.fed++;
          for (const listener of fedListeners) listener();
        },
        onScan: order => void seen.orders.push(order),
        onClosed: () => void seen.closed++,
      });
      seen.opened++;
      return session;
    },
    watch: onChange => subscribe(watchers, onChange),
    async close() {
      for (const scanner of scanners) scanner.end?.(new ScanError('cancelled', 'the driver was closed'));
      released.pass();
      discovered.pass();
    },

    ...feederControls(find, tell),
    unplug: deviceId => setOnline(find(deviceId), false),
    plug: deviceId => setOnline(find(deviceId), true),
    hold(deviceId) {
      if (released.open) released = gate(true);
      find(deviceId).gate = released.passed;
    },
    release: () => released.pass(),
    whenFed: sheets =>
      new Promise(resolve => {
        const end = subscribe(fedListeners, check);
        function check(): void {
          if (seen.fed < sheets) return;
          end();
          resolve();
        }
        check();
      }),
    discover: () => discovered.pass(),
    connect: (version = options.link?.version ?? '1.0.0') => setPeer({ version }),
    disconnect: () => setPeer(undefined),
  };
}

type FeederControls = 'remaining' | 'load' | 'fault' | 'clearFaults' | 'setPaper' | 'detect' | 'press';

/** What a person does at the feeder, and what goes wrong there. */
function feederControls(
  find: (deviceId?: string) => FakeScanner,
  tell: (scanner: FakeScanner, event: 'paper' | 'button') => void,
): Pick<FakeDriver, FeederControls> {
  return {
    remaining: deviceId => find(deviceId).tray,
    load(sheets, deviceId) {
      const scanner = find(deviceId);
      scanner.tray += sheets;
      tell(scanner, 'paper');
    },
    fault: (sheet, fault, deviceId) => void find(deviceId).faults.set(sheet, fault),
    clearFaults: deviceId => find(deviceId).faults.clear(),
    setPaper(paper, deviceId) {
      const scanner = find(deviceId);
      scanner.paper = paper;
      tell(scanner, 'paper');
    },
    detect: (detected, deviceId) => void (find(deviceId).detected = detected),
    press: deviceId => tell(find(deviceId), 'button'),
  };
}

/** @param released passes when held listings may finish */
async function discovery(
  pace: FakeDriverOptions['discovery'],
  released: Promise<void>,
  signal: AbortSignal,
): Promise<void> {
  signal.throwIfAborted();
  if (typeof pace !== 'object') return unlessAborted(released, signal);
  let cancel = () => {};
  const waited = new Promise<void>(resolve => (cancel = pace.clock.after(pace.ms, resolve)));
  try {
    await unlessAborted(waited, signal);
  } finally {
    cancel();
  }
}

interface Gate {
  open: boolean;
  readonly passed: Promise<void>;
  pass(): void;
}

function gate(held: boolean): Gate {
  let resolve = () => {};
  const passed = new Promise<void>(done => (resolve = done));
  const made: Gate = { open: false, passed, pass: () => ((made.open = true), resolve()) };
  if (!held) made.pass();
  return made;
}

function subscribe<Listener>(listeners: Set<Listener>, listener: Listener): () => void {
  listeners.add(listener);
  return () => void listeners.delete(listener);
}
