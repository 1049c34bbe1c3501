/** The session that `platen trace` records, and that replays a trace: each step on a driver, and what came of it. */
import type { Capabilities, Device, Driver, Session, Status } from '../contract/driver.js';
import { codeOf, ScanError } from '../contract/errors.js';
import type { ScanOrder } from '../contract/order.js';
import type { Page } from '../contract/page.js';
import { unlessAborted } from '../time/wait.js';

/** A line of a trace; `at`, milliseconds since its beginning, is added where it is written. */
export interface StepLine {
  readonly step?: Step;
  /** How the step ended; `code` if it failed. */
  readonly did?: Step;
  readonly [field: string]: unknown;
}

export type Step = 'list' | 'open' | 'capabilities' | 'status' | 'scan' | 'close';

export interface TraceSession {
  readonly driver: Driver;
  readonly deviceId: string;
  /** What to scan, if anything: else no paper moves. @throws {InvalidValue} */
  order(device: Device, capabilities: Capabilities, paper: Status['paper']): ScanOrder | undefined;
  write(line: StepLine): void;
  /** Ends the scan after the sheet that moves. */
  readonly stop: AbortSignal;
  /** A step that takes longer has failed with `timeout`, and so has a page. Milliseconds. */
  readonly stepMs: number;
  readonly pageMs: number;
}

/**
 * Lists, opens, asks for capabilities and status, scans, closes. A step that fails is the last one before the closing.
 * @throws what `order` throws
 */
export async function traceSession(parts: TraceSession): Promise<void> {
  const { driver, deviceId, order, write, stop, stepMs, pageMs } = parts;

  /** @returns undefined if it failed */
  async function step<T>(
    name: Step,
    asked: object,
    work: (signal: AbortSignal) => Promise<T>,
    says: (value: T) => object,
  ): Promise<T | undefined> {
    write({ step: name, ...asked });
    const late = timer(stepMs, name);
    try {
      const value = await unlessAborted(work(late.signal), late.signal);
      write({ did: name, ...says(value) });
      return value;
    } catch (error) {
      write({ did: name, code: codeOf(error) ?? 'driver-failed' });
      return undefined;
    } finally {
      late.clear();
    }
  }

  const isListed = async (signal: AbortSignal): Promise<boolean> => {
    let found = false;
    for await (const { id } of driver.devices({ signal })) found ||= id === deviceId;
    return found;
  };
  if ((await step('list', {}, isListed, found => ({ found }))) === undefined) return;
  const open = (signal: AbortSignal) => driver.open(deviceId, { signal });
  const session = await step('open', { device: deviceId }, open, ({ device: { feeding } }) => ({ feeding }));
  if (!session) return;
  try {
    const can = await step('capabilities', {}, signal => session.capabilities({ signal }), capabilitiesLine);
    const is =
      can &&
      (await step(
        'status',
        {},
        signal => session.status({ signal }),
        status => ({ ...status }),
      ));
    const asked = can && is && order(session.device, can, is.paper);
    if (asked) await scan(session, asked, { write, stop, pageMs });
  } finally {
    await step(
      'close',
      {},
      () => session.close(),
      () => ({}),
    );
  }
}

/** What every client sees of a source; options of drivers may have names of people's own. */
function capabilitiesLine(capabilities: Capabilities): object {
  const sources = Object.entries(capabilities).map(([source, { resolutions, colorModes, duplex, pageSizes }]) => [
    source,
    { resolutions, colorModes, duplex, pageSizes },
  ]);
  return Object.fromEntries(sources) as object;
}

async function scan(
  session: Session,
  order: ScanOrder,
  { write, stop, pageMs }: Pick<TraceSession, 'write' | 'stop' | 'pageMs'>,
): Promise<void> {
  write({ step: 'scan', order });
  const ended = new AbortController();
  const pages = session.scan(order, { signal: ended.signal, stop })[Symbol.asyncIterator]();
  let count = 0;
  for (;;) {
    const late = timer(pageMs, 'scan', ended);
    try {
      const { value, done } = await unlessAborted(pages.next(), ended.signal);
      if (done) return write({ did: 'scan', pages: count });
      count++;
      write({ page: factsOf(value) });
    } catch (error) {
      return write({ did: 'scan', pages: count, code: codeOf(error) ?? 'driver-failed' });
    } finally {
      late.clear();
    }
  }
}

function factsOf({ kind, sheet, side, width, height, pixels, dpi, adjusted }: Page): object {
  return { kind, sheet, side, width, height, pixels, dpi, ...(adjusted && { adjusted }) };
}

function timer(ms: number, name: Step, controller = new AbortController()): { signal: AbortSignal; clear(): void } {
  const why = (): ScanError => new ScanError('timeout', `The driver did not end its ${name} within ${ms / 1000} s.`);
  const late = setTimeout(() => controller.abort(why()), ms);
  return { signal: controller.signal, clear: () => clearTimeout(late) };
}
