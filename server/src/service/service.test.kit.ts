/** Every route over a fake driver, for tests that inject requests. */
import { fakeFormat } from '@platen/conformance';
import type { Clock, Contributions, DocumentFormat, Driver, Format } from '@platen/core';
import type { Test } from 'tap';
import { buildApp } from './app.js';
import { composeFakes } from './compose.test.kit.js';
import type { Security } from '../machine/config/schema.js';

export interface ServiceOptions {
  /** Names of formats; absent: all four. */
  readonly formats?: readonly string[];
  readonly inactivityMs?: number;
  readonly clock?: Clock;
  /** Groups of the configuration's keys. */
  readonly config?: object;
  /** `open` if absent. */
  readonly origins?: Security['origins'];
  /** More formats. */
  readonly more?: readonly Format[];
  readonly documents?: readonly DocumentFormat[];
  readonly recognisers?: Contributions['recognisers'];
  readonly processors?: Contributions['processors'];
  readonly health?: NonNullable<Contributions['health']>;
}

const aliases: Readonly<Record<string, readonly string[]>> = { Jpeg: ['jpeg', 'jpg'], Tiff: ['tiff', 'tif'] };

export async function testService(t: Test, driver: Driver, options: ServiceOptions = {}) {
  const { formats = ['Png', 'Jpeg', 'Tiff', 'Bmp'], inactivityMs = 60_000, clock, config, more = [] } = options;
  const { documents = [], recognisers = [], processors = [] } = options;
  const { routeParts, lines, dataDir } = await composeFakes(
    t,
    {
      drivers: [driver],
      documents,
      recognisers,
      processors,
      ...(options.health ? { health: options.health } : {}),
      formats: [
        ...more,
        ...formats.map(name =>
          fakeFormat({
            name,
            mimeType: `image/${name.toLowerCase()}`,
            aliases: aliases[name] ?? [name.toLowerCase()],
          }),
        ),
      ],
    },
    {
      config: {
        scan: { inactivitySeconds: inactivityMs / 1000, graceSeconds: 5, deadlineGraceSeconds: 1 },
        clients: { maxStreams: 10, maxUnread: 2 },
        ...(options.origins === undefined ? {} : { security: { origins: options.origins } }),
        ...config,
      },
      parts: { version: '1.2.3.0', ...(clock ? { clock } : {}) },
    },
  );
  const app = await buildApp({ routeParts, security: { allowedHosts: ['localhost'] } });
  t.teardown(() => app.close());
  return { app, scans: routeParts.scans, kept: routeParts.kept, health: routeParts.health, lines, dataDir };
}
