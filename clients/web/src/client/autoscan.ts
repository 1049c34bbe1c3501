/** Auto-scan as a loop: on while the loop runs, off when it is left. */
import { codeOfEnd, PlatenError, type PlatenErrorCode } from './errors.js';
import { createQueue } from './queue.js';
import type { CallOptions, Service } from './service.js';
import type { Note, ScannedPage, Scanner, ScanParameters, Status } from './shapes.js';
import { follow, type Farewell } from './stream.js';
import { limited } from './waiting.js';

export interface AutoScanEnd {
  /** `disabled`: somebody turned it off. `aborted`: the signal. `left`: the loop was left. `failed`: the loop threw. */
  readonly reason: 'disabled' | 'aborted' | 'left' | 'failed';
  /** For a person. */
  readonly message: string;
}

export interface AutoScan extends AsyncIterableIterator<ScannedPage, void, undefined> {
  /** What the service said when it was turned on: that the scanner does not report paper, for one, or which wish is not followed. Undefined where it did not come to that. Never rejects. */
  readonly message: Promise<string | undefined>;
  /** The same with codes, where `report` was asked for; empty where it did not come to that. Never rejects. */
  readonly notes: Promise<readonly Note[]>;
  /** Why the loop ended; undefined while it runs. */
  readonly end: AutoScanEnd | undefined;
}

export interface AutoScanOptions extends CallOptions {
  /** Told `false` when the connection to the service is lost and does not come back at the first try, `true` when it has. The loop goes on meanwhile, for about 24 seconds. */
  readonly onConnection?: ((connected: boolean) => void) | undefined;
}

/** What the service answers when auto-scan is turned on. */
interface Enabled {
  readonly message: string;
  readonly notes?: readonly Note[];
}

/** Pages that may wait for the loop before the scanner does. */
const AHEAD = 8;
/** Those that are being left: one that begins waits for them, so that they do not turn it off. React's strict mode begins everything twice. */
const leaving = new WeakMap<Service, Set<Promise<void>>>();

/** How long the end may take to come once auto-scan was turned off: a large page that is on its way comes before it. */
const FAREWELL_MS = 5000;
const DISABLE_MS = 15_000;

/** @param scannerName undefined: the scanner that is open */
export function autoScan(
  service: Service,
  scannerName: string | undefined,
  parameters: ScanParameters = {},
  { signal, onConnection }: AutoScanOptions = {},
): AutoScan {
  const queue = createQueue<ScannedPage>(AHEAD);
  const hangUp = new AbortController();
  let running: Promise<void> | undefined;
  let ending: 'aborted' | 'left' | undefined;
  let end: AutoScanEnd | undefined;
  let on = false;
  let turnedOff: Promise<void> | undefined;
  let tell = (_enabled?: Enabled): void => undefined;
  const enabled = new Promise<Enabled | undefined>(resolve => (tell = resolve));

  const disable = async (): Promise<void> => {
    // Where it cannot be told, auto-scan ends by itself when nobody has read for five minutes.
    const call = (limit: AbortSignal) =>
      service.json('/api/twain/autoscan/disable', { method: 'POST', signal: limit, keepalive: true });
    await limited(DISABLE_MS, undefined, call).catch(() => undefined);
  };
  const leave = (reason: 'aborted' | 'left'): void => {
    ending ??= reason;
    const its = running;
    if (!its) return;
    const others = leaving.get(service) ?? new Set();
    leaving.set(service, others.add(its));
    void its.then(() => others.delete(its));
  };
  const onAbort = (): void => {
    leave('aborted');
    // What was scanned until then still comes, before the farewell.
    if (on) turnedOff ??= disable().then(() => void setTimeout(() => hangUp.abort(), FAREWELL_MS));
  };
  // A tab that is closed leaves no loop.
  const onPageHide = (): void => void disable();

  const run = async (): Promise<void> => {
    let failure: unknown;
    try {
      await Promise.all(leaving.get(service) ?? []);
      if (signal?.aborted) ending ??= 'aborted';
      if (ending) return;
      signal?.addEventListener('abort', onAbort, { once: true });
      globalThis.addEventListener?.('pagehide', onPageHide);
      tell(await enable(service, scannerName, parameters));
      on = true;
      if (ending) return;
      const farewell = await follow(service, queue, hangUp.signal, onConnection);
      on = false;
      const told = ending ? undefined : await failureIn(service, farewell, scannerName);
      if (told) throw told;
      end = { reason: ending ?? 'disabled', message: farewell.message };
    } catch (error) {
      if (ending) return;
      on &&= !isOff(error);
      failure = await reasonOf(service, error, scannerName);
      end = { reason: 'failed', message: failure instanceof Error ? failure.message : String(failure) };
    } finally {
      tell();
      signal?.removeEventListener('abort', onAbort);
      globalThis.removeEventListener?.('pagehide', onPageHide);
      await (turnedOff ?? (on ? disable() : undefined));
      end ??= { reason: ending ?? 'left', message: 'Auto-scan was turned off.' };
      if (failure === undefined) queue.end();
      else queue.fail(failure);
    }
  };

  return {
    message: enabled.then(told => told?.message),
    notes: enabled.then(told => told?.notes ?? []),
    get end() {
      return end;
    },
    async next() {
      running ??= run();
      const value = await queue.take();
      return value ? { value, done: false } : { value: undefined, done: true };
    },
    async return() {
      leave('left');
      hangUp.abort();
      await (running ??= run());
      queue.clear();
      return { value: undefined, done: true };
    },
    [Symbol.asyncIterator]() {
      return this;
    },
  };
}

async function enable(service: Service, scannerName: string | undefined, parameters: ScanParameters): Promise<Enabled> {
  const body = { parameters, ...(scannerName === undefined ? {} : { scannerName }) };
  return service.json<Enabled>('/api/twain/autoscan/enable', { method: 'POST', body });
}

/** The failure that a farewell tells of; undefined where somebody turned auto-scan off. */
async function failureIn(
  service: Service,
  { event, message, code }: Farewell,
  scannerName: string | undefined,
): Promise<PlatenError | undefined> {
  const known =
    codeOfEnd(code) ?? (event === 'error' ? ((await whatIsGone(service, scannerName)) ?? 'failed') : undefined);
  return known && new PlatenError(known, message);
}

/** A scanner that is lost before the stream is open says farewell to nobody. */
async function reasonOf(service: Service, error: unknown, scannerName: string | undefined): Promise<unknown> {
  if (!isOff(error)) return error;
  const code = await whatIsGone(service, scannerName);
  const gone =
    code === 'offline' ? `${scannerName ?? 'The scanner'} is offline` : 'The desktop application is not connected';
  return code ? new PlatenError(code, `${gone}: auto-scan has ended.`, { cause: error }) : error;
}

const isOff = (error: unknown): boolean => error instanceof PlatenError && error.code === 'autoscan-off';

async function whatIsGone(service: Service, scannerName: string | undefined): Promise<PlatenErrorCode | undefined> {
  const status = await service.json<Status>('/api/twain/status').catch(() => undefined);
  if (status?.desktopAppConnected === false) return 'desktop-app-away';
  if (status?.scannerStatus.isOnline === false) return 'offline';
  if (scannerName === undefined) return undefined;
  // Where the lost one is closed, the status is that of all others.
  const list = await service.json<{ scanners: readonly Scanner[] }>('/api/twain/scanners').catch(() => undefined);
  return list && !list.scanners.some(({ name, isOnline }) => name === scannerName && isOnline) ? 'offline' : undefined;
}
