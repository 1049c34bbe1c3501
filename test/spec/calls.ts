/** The most common calls of tests, with the types of their answers; the answers are checked against the schemas. */
import type { Answer, RequestOptions } from '../topology/client.js';
import { whichSide, type Ink } from '../topology/sheets.js';
import type { Fixture, Role } from '../topology/topology.js';

export interface Image {
  readonly base64Data: string;
  readonly mimeType: string;
  readonly pageNumber: number;
  readonly width: number;
  readonly height: number;
  readonly resolution: number;
  readonly format: string;
  readonly fileSizeBytes: number;
  readonly ocrText: string;
  readonly barcodes: readonly unknown[];
  readonly report?: readonly {
    readonly parameter: string;
    readonly requested: string | number | boolean;
    readonly result: string;
    readonly why?: string;
  }[];
}

export interface ScanJson {
  readonly success: boolean;
  readonly status: string;
  readonly message: string;
  readonly error?: string;
  readonly images: readonly Image[];
  readonly imageCount: number;
  readonly elapsedMs: number;
  readonly notes?: readonly { readonly code: string; readonly text: string; readonly field?: string }[];
}

export interface FailureJson {
  readonly success: false;
  readonly error: string;
}

export type Typed<T> = Omit<Answer, 'json'> & { readonly json: T };

interface ScanOptions extends Pick<RequestOptions, 'signal' | 'asIs' | 'headers'> {
  readonly requestId?: string;
  /** Fields of the body beside those of the interface. */
  readonly more?: object;
}

export async function scan(
  fixture: Fixture,
  role: Role,
  parameters?: object,
  { requestId, more, ...options }: ScanOptions = {},
): Promise<Typed<ScanJson>> {
  const body = {
    scannerName: fixture.name(role),
    ...(parameters === undefined ? {} : { parameters }),
    ...(requestId === undefined ? {} : { requestId }),
    ...more,
  };
  return (await fixture.request('POST', '/api/twain/scan', { body, ...options })) as Typed<ScanJson>;
}

/** A scan whose request is refused: `asIs`, because its body is wrong on purpose. */
export async function refusedScan(fixture: Fixture, role: Role, parameters: object): Promise<Typed<FailureJson>> {
  return (await scan(fixture, role, parameters, { asIs: true })) as unknown as Typed<FailureJson>;
}

export async function get<T>(fixture: Fixture, path: string): Promise<Typed<T>> {
  return (await fixture.request('GET', path)) as Typed<T>;
}

export async function cancel(fixture: Fixture, requestId?: string): Promise<Typed<{ success: true; message: string }>> {
  const body = requestId === undefined ? {} : { requestId };
  return (await fixture.request('POST', '/api/twain/cancel', { body })) as Typed<{ success: true; message: string }>;
}

export const fileOf = (image: Image | undefined): Buffer => Buffer.from(image?.base64Data ?? '', 'base64');

/** The inks of the pages, in order. */
export async function inksOf(result: ScanJson): Promise<Ink[]> {
  return Promise.all(result.images.map(async image => (await whichSide(fileOf(image))).ink));
}

/** Polls until the condition is true; only the test's time limit ends it. */
export async function until(condition: () => Promise<boolean>, everyMs = 15): Promise<void> {
  while (!(await condition())) await pause(everyMs);
}

/** Waits until a service has logged it: a log is a pipe, and may come after the answer that it explains. */
export async function logged(service: { log(): string }, said: RegExp | string): Promise<true> {
  await until(async () => service.log().search(said) >= 0);
  return true;
}

/** How often auto-scan asks a scanner for its paper: `POLL_MS` of core/src/autoscan/paperWatch.ts. */
export const PAPER_POLL_MS = 500;
/** The role `slow`'s time for a sheet, in the slowest topology. */
export const SLOW_SHEET_MS = 600;
/** Added to a time within which something must not happen. */
export const MARGIN_MS = 200;

/** Waits, for a check that something did not happen; `ms` is the time that it would take. */
export async function pause(ms: number): Promise<void> {
  await new Promise(resolve => setTimeout(resolve, ms));
}

/** Resolves when the running scan has scanned this many sheets. */
export async function untilFed(fixture: Fixture, role: Role, sheets = 1): Promise<void> {
  await until(async () => (await fixture.scanned(role)) >= sheets);
}

/**
 * Resolves when a scanner hangs at sheet 2, which is not visible outside: sheet 1 has been scanned, and the service has
 * polled the same tray many more times than it does for the next sheet.
 */
export async function untilHanging(fixture: Fixture, role: Role): Promise<void> {
  await untilFed(fixture, role);
  await untilSettled(fixture);
}

/**
 * Waits until the service has finished with an empty feeder, which cannot be seen from outside. It asks instead of
 * waiting a fixed time, so that a busy machine gets more time.
 */
export async function untilSettled(fixture: Fixture): Promise<void> {
  for (let look = 0; look < 30; look++) await fixture.request('GET', '/api/twain/status');
}
