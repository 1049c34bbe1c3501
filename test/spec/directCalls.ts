/** The calls of `POST /api/twain`, with the answer's type. */
import type { Test } from 'tap';
import type { House, Role } from '../topology/topology.js';
import type { ScanJson, Typed } from './calls.js';

export interface DirectJson<T = Record<string, unknown>> {
  readonly kind: string;
  readonly commandId: string;
  readonly method: string;
  readonly results: { readonly success: boolean; readonly code: string; readonly jsonKey?: string; readonly characterOffset?: number };
  readonly data: T;
}

export const path = '/api/twain';
export const kind = 'twainlocalscanner';

export async function direct<T = Record<string, unknown>>(house: House, method: string, params?: unknown, more: object = {}): Promise<Typed<DirectJson<T>>> {
  const body = { kind, method, ...(params === undefined ? {} : { params }), ...more };
  // What does not fit on purpose is not checked before it is sent.
  return (await house.request('POST', path, { body, asIs: true })) as Typed<DirectJson<T>>;
}

export const directScan = (house: House, params?: object, more: object = {}) => direct<ScanJson>(house, 'scan', params, more);

/** Opens a scanner for as long as the test lasts. */
export async function open(t: Test, house: House, role: Role): Promise<void> {
  t.teardown(() => direct(house, 'closeSource'));
  t.match(await direct(house, 'openSource', { sourceName: house.name(role) }), { status: 200, json: { results: { success: true } } });
}
