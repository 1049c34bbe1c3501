/** An open scanner of the fake driver. */
import { checkDriverOptions } from '@platen/core/driver';
import {
  type Capabilities,
  type Device,
  type DriverOption,
  type Page,
  type ReservedOption,
  ScanError,
  type ScanOrder,
  type Session,
  type SourceCapabilities,
} from '@platen/core/plugin';
import { fakeScan, type FakePages } from './fakeScan.js';
import { fakeArea } from './fakeSheet.js';
import { paperOf, type FakeScanner } from './fakeScanner.js';

export interface FakeSessionOptions extends FakePages {
  /** Never reacts to `stop` or `signal`; `close` frees the scanner all the same. */
  readonly deaf?: boolean;
  /** The hardware turns the backs of sheets bound on their short edge. */
  readonly turnsBacks?: boolean;
  /** Options of the driver; none when absent. */
  readonly driverOptions?: readonly DriverOption[];
  readonly reservedOptions?: readonly ReservedOption[];
  /** What `capabilities` answers, instead of the fake's own. */
  readonly capabilities?: Capabilities;
}

export interface FakeSessionEvents {
  onFed(): void;
  onScan(order: ScanOrder): void;
  onClosed(): void;
}

/** Opens the scanner; `busy` while another session has it. */
export function fakeSession(scanner: FakeScanner, options: FakeSessionOptions, events: FakeSessionEvents): Session {
  scanner.unplugged.signal.throwIfAborted();
  if (scanner.end) throw new ScanError('busy', `${scanner.device.name} is open already`);
  const ended = new AbortController();
  const watching = new Set<(event: 'paper' | 'button' | 'offline') => void>();
  const { deaf = false } = options;
  const adjusts = [...(options.adjusts ?? []), ...(options.turnsBacks ? ['turn' as const] : [])];
  let scanning = false;
  let closed = false;

  const end = (reason: ScanError) => {
    if (ended.signal.aborted) return;
    ended.abort(reason);
    scanner.end = undefined;
    for (const watcher of watching) scanner.watchers.delete(watcher);
  };
  scanner.end = end;

  async function* scan(order: ScanOrder, call: Parameters<Session['scan']>[1]): AsyncGenerator<Page, void, undefined> {
    ended.signal.throwIfAborted();
    if (scanning) throw new ScanError('busy', `${scanner.device.name} is scanning already`);
    scanning = true;
    events.onScan(order);
    try {
      checkDriverOptions(options.driverOptions, order.driverOptions);
      const signal = AbortSignal.any([call.signal, ended.signal, scanner.unplugged.signal]);
      const pages = { ...options, adjusts };
      yield* fakeScan({ scanner, pages, order, deaf, call: { stop: call.stop, signal }, onFed: events.onFed });
    } finally {
      scanning = false;
    }
  }

  return {
    device: scanner.device,
    async capabilities(call) {
      call.signal.throwIfAborted();
      ended.signal.throwIfAborted();
      return options.capabilities ?? capabilitiesOf(scanner.device, adjusts, options);
    },
    async status() {
      const detected = scanner.detected ? { detected: scanner.detected } : {};
      return { online: !scanner.unplugged.signal.aborted, paper: paperOf(scanner), ...detected };
    },
    watch(onEvent) {
      const watcher: typeof onEvent = event => onEvent(event);
      watching.add(watcher);
      scanner.watchers.add(watcher);
      return () => void (watching.delete(watcher), scanner.watchers.delete(watcher));
    },
    scan,
    async close() {
      if (!closed) events.onClosed();
      closed = true;
      end(new ScanError('cancelled', 'the session was closed'));
    },
  };
}

function capabilitiesOf(
  device: Device,
  adjustments: SourceCapabilities['adjustments'],
  { controls, driverOptions, reservedOptions }: FakeSessionOptions,
): Capabilities {
  const source = (duplex: boolean): SourceCapabilities => ({
    resolutions: [75, 100, 150, 200, 300, 600],
    colorModes: ['Color', 'Grayscale', 'BlackAndWhite'],
    duplex,
    pageSizes: ['A4', 'Letter', 'Legal', 'A5', 'Auto'],
    adjustments,
    ...(controls && { controls }),
    ...(controls?.includes('area') && { area: fakeArea }),
    ...(driverOptions && { driverOptions }),
    ...(reservedOptions && { reservedOptions }),
  });
  return {
    ...(device.feeder ? { feeder: source(device.duplex) } : {}),
    ...(device.flatbed ? { flatbed: source(false) } : {}),
  };
}
