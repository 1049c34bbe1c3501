/** Checks of a service with a desktop application: everything that changes while it is away. */
import type { Test } from 'tap';
import { sheets } from '../topology/sheets.js';
import type { Fixture } from '../topology/topology.js';
import { get, inksOf, scan, until } from './calls.js';

const parameters = { resolution: 75, colorMode: 'Color' };
const AWAY = /^The desktop application is not connected\./;

export interface Version {
  readonly desktopAppConnected: boolean;
  readonly desktopVersion?: string;
  readonly serviceVersion: string;
}

export const versionOf = async (fixture: Fixture): Promise<Version> =>
  (await get<Version>(fixture, '/api/twain/version')).json;

/**
 * Resolves when the service has noticed that the desktop application connected, or disconnected: up to five seconds, in
 * which a request every few milliseconds costs more than all else in these tests.
 */
export async function untilConnected(fixture: Fixture, connected = true): Promise<void> {
  await until(async () => (await versionOf(fixture)).desktopAppConnected === connected, 100);
}

interface DirectJson {
  readonly method: string;
  readonly commandId: string;
  readonly results: { readonly success: boolean; readonly code: string };
  readonly data: { readonly message?: string };
}

/** Every endpoint while it is away, as the interface or Platen defines it. */
export async function isAway(t: Test, fixture: Fixture, why: string | RegExp = AWAY): Promise<void> {
  const name = encodeURIComponent(fixture.name('duplex'));
  const health = await fixture.request('GET', '/health');
  t.same([health.status, health.text], [200, 'Degraded']);
  const version = await versionOf(fixture);
  t.equal(version.desktopAppConnected, false);
  t.notOk('desktopVersion' in version);
  const status = await get<{
    success: boolean;
    serviceOnline: boolean;
    desktopAppConnected: boolean;
    scannerStatus: object;
  }>(fixture, '/api/twain/status');
  t.match(status, {
    status: 200,
    json: {
      success: true,
      serviceOnline: true,
      desktopAppConnected: false,
      scannerStatus: { isOnline: false, isPaperLoaded: false },
    },
  });

  const refused = [
    ['GET', '/api/twain/scanners', undefined],
    ['GET', `/api/twain/scanners/${name}/capabilities`, undefined],
    ['POST', '/api/twain/scan', { scannerName: fixture.name('duplex') }],
    ['POST', '/api/twain/autoscan/enable', { scannerName: fixture.name('duplex') }],
    ['POST', '/api/twain/autoscan/enable', { parameters: {} }],
  ] as const;
  for (const [method, path, body] of refused) {
    const { status: code, json } = await fixture.request(method, path, body ? { body } : {});
    t.equal(code, 503, `${method} ${path}`);
    t.match(json, { success: false, error: why }, path);
    t.same(
      Object.keys(json as object).sort(),
      path === '/api/twain/scan' ? Object.keys(json as object).sort() : ['error', 'success'],
    );
  }
  for (const method of ['getSources', 'openSource', 'closeSource', 'getCapabilities', 'getStatus', 'scan']) {
    const params = { sourceName: fixture.name('duplex') };
    const { status: code, json } = await fixture.request('POST', '/api/twain', {
      body: { kind: 'twainlocalscanner', method, params, commandId: 'mine' },
    });
    t.equal(code, 503, method);
    t.match(json as DirectJson, {
      method,
      commandId: 'mine',
      results: { success: false, code: 'critical' },
      data: { message: why },
    });
  }

  const never = [
    ['GET', '/', 200],
    ['POST', '/api/twain/cancel', 200],
    ['POST', '/api/twain/autoscan/disable', 200],
    ['GET', '/api/twain/autoscan/events', 409],
  ] as const;
  for (const [method, path, code] of never) t.equal((await fixture.request(method, path)).status, code, path);
}

/** It is connected, and its scanner scans. */
export async function isThere(t: Test, fixture: Fixture): Promise<void> {
  const health = await fixture.request('GET', '/health');
  t.same([health.status, health.text], [200, 'Healthy']);
  const { desktopAppConnected, desktopVersion, serviceVersion } = await versionOf(fixture);
  t.equal(desktopAppConnected, true);
  t.equal(desktopVersion, serviceVersion);
  await fixture.load('duplex', sheets(3, 1));
  const { status, json } = await scan(fixture, 'duplex', parameters);
  t.equal(status, 200, json.message);
  t.same(await inksOf(json), [3, 1]);
}
