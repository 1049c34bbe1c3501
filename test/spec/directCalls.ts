/** The calls of `POST /api/twain`, with the answer's type. */
import type { Test } from 'tap';
import type { Fixture, Role } from '../topology/topology.js';
import type { ScanJson, Typed } from './calls.js';

export interface DirectJson<T = Record<string, unknown>> {
  readonly kind: string;
  readonly commandId: string;
  readonly method: string;
  readonly results: {
    readonly success: boolean;
    readonly code: string;
    readonly jsonKey?: string;
    readonly characterOffset?: number;
  };
  readonly data: T;
}

export const path = '/api/twain';
export const kind = 'twainlocalscanner';

export async function direct<T = Record<string, unknown>>(
  fixture: Fixture,
  method: string,
  params?: unknown,
  more: object = {},
): Promise<Typed<DirectJson<T>>> {
  const body = { kind, method, ...(params === undefined ? {} : { params }), ...more };
  // A body that is wrong on purpose is not checked before it is sent.
  return (await fixture.request('POST', path, { body, asIs: true })) as Typed<DirectJson<T>>;
}

export const directScan = (fixture: Fixture, params?: object, more: object = {}) =>
  direct<ScanJson>(fixture, 'scan', params, more);

/** Opens a scanner for as long as the test lasts. */
export async function open(t: Test, fixture: Fixture, role: Role): Promise<void> {
  t.teardown(() => direct(fixture, 'closeSource'));
  t.match(await direct(fixture, 'openSource', { sourceName: fixture.name(role) }), {
    status: 200,
    json: { results: { success: true } },
  });
}
