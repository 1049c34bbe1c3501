/** Every route over a fake driver, for tests that inject. */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fakeFormat } from '@platen/conformance';
import { createDevices, createRegistry, createScanner, createSemaphore, openBoxStore, openSpool, systemClock, type Clock, type Driver, type Log } from '@platen/core';
import type { Test } from 'tap';
import { buildApp } from '../app.js';
import { createDesktop } from '../desktop.js';
import { createClients } from '../responses/clients.js';
import { createProgress } from '../responses/progress.js';

export interface ServiceOptions {
  /** Names of formats in place of all four. */
  readonly formats?: readonly string[];
  readonly inactivityMs?: number;
  readonly clock?: Clock;
}

const aliases: Readonly<Record<string, readonly string[]>> = { Jpeg: ['jpeg', 'jpg'], Tiff: ['tiff', 'tif'] };

export async function testService(t: Test, driver: Driver, options: ServiceOptions = {}) {
  const { formats = ['Png', 'Jpeg', 'Tiff', 'Bmp'], inactivityMs = 60_000, clock = systemClock } = options;
  const folder = await mkdtemp(join(tmpdir(), 'platen-routes-'));
  const lines: string[] = [];
  const say = (line: string) => void lines.push(line);
  const log: Log = { debug: say, info: say, warn: say, error: say };
  const registry = createRegistry();
  registry.add('fakes', {
    drivers: [driver],
    formats: formats.map(name => fakeFormat({ name, mimeType: `image/${name.toLowerCase()}`, aliases: aliases[name] ?? [name.toLowerCase()] })),
  });
  const spool = await openSpool(join(folder, 'spool'), 1e7);
  const devices = createDevices(registry.drivers, clock, log);
  const scanner = createScanner({
    devices, registry, clock, log,
    boxes: await openBoxStore(join(folder, 'kept'), log),
    pool: createSemaphore(2),
    limits: { inactivityMs, graceMs: 5000, deadlineGraceMs: 1000, rawBytes: 1e8, maxPixels: 1e8 },
    idleMs: 1e6,
    autoscan: { idleMs: 300_000, maxFailures: 3, outboxPages: 20, resendBytes: 1e6, keptMs: 86_400_000 },
  });
  const services = { scanner, registry, spool, clock, log, forPages: (said: string) => said, progress: createProgress(), clients: createClients({ stallMs: 30_000, maxStreams: 10, maxUnread: 2 }, clock), desktop: createDesktop(registry, '1.2.3.0'), version: '1.2.3.0', check: async () => undefined };
  const app = await buildApp({ services, security: { allowedOrigins: '*', allowedHosts: ['localhost'] } });
  t.teardown(async () => {
    await scanner.close('The test is over.');
    await app.close();
    await rm(folder, { recursive: true, force: true });
  });
  return { app, scanner, lines };
}
