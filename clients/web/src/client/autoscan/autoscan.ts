/** Auto-scan as a loop: enabled while the loop runs, disabled when it ends. */
import { PlatenError, type PlatenErrorCode } from '../errors.js';
import { leave, left } from '../scans/leaving.js';
import { createQueue } from './queue.js';
import type { CallOptions, Service } from '../transport/ask.js';
import type { Note, ScannedPage, Scanner, ScanParameters, Status } from '../shapes.js';
import { follow, type Farewell } from './stream.js';
import { limited } from '../transport/waiting.js';

export interface AutoScanEnd {
  /**
   * `disabled`: auto-scan was turned off elsewhere. `aborted`: by the signal. `left`: by `break` or an error in the loop's
   * body. `failed`: the iterator threw.
   */
  readonly reason: 'disabled' | 'aborted' | 'left' | 'failed';
  /** For a person. */
  readonly message: string;
}

export interface AutoScan extends AsyncIterableIterator<ScannedPage, void, undefined> {
  /**
   * The service's message when it enabled auto-scan: for example, that the scanner does not report paper, or which
   * parameter it cannot follow. Undefined if auto-scan was not enabled. Never rejects.
   */
  readonly message: Promise<string | undefined>;
  /** The same with codes, if `report` is true; empty if auto-scan was not enabled. Never rejects. */
  readonly notes: Promise<readonly Note[]>;
  /** Why the loop ended; undefined while it runs. */
  readonly end: AutoScanEnd | undefined;
}

export interface AutoScanOptions extends CallOptions {
  /**
   * Called with `false` when the connection is lost and the first retry fails, and with `true` when it is back. The loop
   * keeps retrying for about 24 s.
   */
  readonly onConnection?: ((connected: boolean) => void) | undefined;
}

/** The service's answer to enabling auto-scan. */
interface Enabled {
  readonly message: string;
  readonly notes?: readonly Note[];
}

/** Pages that may wait for the loop; with more, the scanner waits. */
const AHEAD = 8;
/** How long the end event may take after disabling: a large page may arrive before it. */
const FAREWELL_MS = 5000;
const DISABLE_MS = 15_000;

/** @param scannerName undefined: the open scanner */
export function autoScan(
  service: Service,
  scannerName: string | undefined,
  parameters: ScanParameters = {},
  { signal, onConnection }: AutoScanOptions = {},
): AutoScan {
  const queue = createQueue<ScannedPage>(AHEAD);
  /** Loops on other scanners go on. */
  const named = scannerName === undefined ? {} : { scannerName };
  const hangUp = new AbortController();
  /** Ends the wait for the person's yes. */
  const unwanted = new AbortController();
  let running: Promise<void> | undefined;
  let ending: 'aborted' | 'left' | undefined;
  let end: AutoScanEnd | undefined;
  let on = false;
  let turnedOff: Promise<void> | undefined;
  let tell = (_enabled?: Enabled): void => undefined;
  const enabled = new Promise<Enabled | undefined>(resolve => (tell = resolve));

  const disable = async (): Promise<void> => {
    // If this fails, the service ends auto-scan by itself after five minutes without a reader.
    const call = (limit: AbortSignal) =>
      service.json('/api/twain/autoscan/disable', { method: 'POST', body: named, signal: limit, keepalive: true });
    await limited(DISABLE_MS, undefined, call).catch(() => undefined);
  };
  const stopFor = (reason: 'aborted' | 'left'): void => {
    ending ??= reason;
    unwanted.abort();
    // A new loop would be disabled by this one's end.
    if (running) leave(service, running);
  };
  const onAbort = (): void => {
    stopFor('aborted');
    // Pages scanned so far still arrive, before the end event.
    if (on) turnedOff ??= disable().then(() => void setTimeout(() => hangUp.abort(), FAREWELL_MS));
  };
  // A closing tab does not leave its loop.
  const onPageHide = (): void => void disable();

  const run = async (): Promise<void> => {
    let failure: unknown;
    try {
      await left(service);
      if (signal?.aborted) ending ??= 'aborted';
      if (ending) return;
      signal?.addEventListener('abort', onAbort, { once: true });
      globalThis.addEventListener?.('pagehide', onPageHide);
      tell(await enable(service, scannerName, parameters, unwanted.signal));
      on = true;
      if (ending) return;
      const farewell = await follow(service, scannerName, queue, hangUp.signal, onConnection);
      on = false;
      const told = ending ? undefined : failureIn(service, farewell);
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
      stopFor('left');
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

/** @param consent ends the wait for the person's yes */
async function enable(
  service: Service,
  scannerName: string | undefined,
  parameters: ScanParameters,
  consent: AbortSignal,
): Promise<Enabled> {
  const body = { parameters, ...(scannerName === undefined ? {} : { scannerName }) };
  return service.json<Enabled>('/api/twain/autoscan/enable', { method: 'POST', body, consent });
}

/** The failure that the end event reports; undefined if auto-scan was turned off on request. */
function failureIn(service: Service, { event, message, code = 'internal' }: Farewell): PlatenError | undefined {
  if (event === 'disabled' && !turnedItselfOff.has(code)) return undefined;
  // The service has not asked the person again yet.
  const link = code === 'consent-ended' ? `${service.baseUrl}/origins/` : undefined;
  return new PlatenError(code, message, { link });
}

const turnedItselfOff: ReadonlySet<PlatenErrorCode> = new Set(['failing', 'unread', 'consent-ended']);

/** If the scanner is lost before the stream opens, no end event arrives: find the reason here. */
async function reasonOf(service: Service, error: unknown, scannerName: string | undefined): Promise<unknown> {
  if (!isOff(error)) return error;
  const code = await whatIsGone(service, scannerName);
  const gone =
    code === 'device-offline'
      ? `${scannerName ?? 'The scanner'} is offline`
      : 'The desktop application is disconnected';
  return code ? new PlatenError(code, `${gone}: auto-scan has ended.`, { cause: error }) : error;
}

const isOff = (error: unknown): boolean => error instanceof PlatenError && error.code === 'autoscan-off';

async function whatIsGone(service: Service, scannerName: string | undefined): Promise<PlatenErrorCode | undefined> {
  const status = await service.json<Status>('/api/twain/status').catch(() => undefined);
  if (status?.desktopAppConnected === false) return 'not-connected';
  if (status?.scannerStatus.isOnline === false) return 'device-offline';
  if (scannerName === undefined) return undefined;
  // Once the lost scanner is closed, the status describes the other scanners.
  const list = await service.json<{ scanners: readonly Scanner[] }>('/api/twain/scanners').catch(() => undefined);
  return list && !list.scanners.some(({ name, isOnline }) => name === scannerName && isOnline)
    ? 'device-offline'
    : undefined;
}
