/** A service of fakes that a command reaches on its socket. */
import { existsSync } from 'node:fs';
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { nullLog, type Contributions } from '@platen/core';
import type { Test } from 'tap';
import { Default } from 'typebox/value';
import { ConfigSchema, type Config } from '../../machine/config/schema.js';
import { composeFakes } from '../../service/compose.test.kit.js';
import { onSocket } from './privateService.js';
import type { ReachedService } from './reachedService.js';

export interface ReachedFakes {
  readonly service: ReachedService;
  readonly dataDir: string;
  /** Folders of scans that the service keeps. */
  kept(): Promise<string[]>;
}

/** Closed with the test. @param config keys of the configuration; the others have their defaults */
export async function reachFakes(t: Test, contributions: Contributions, config: object = {}): Promise<ReachedFakes> {
  const composed = await composeFakes(t, contributions, { config });
  const { dataDir } = composed;
  const service = await onSocket(composed, {
    config: { ...(Default(ConfigSchema, config) as Config), file: join(dataDir, 'platen.json') },
    dataDir,
    pluginsDir: undefined,
    port: 1,
    logFor: () => nullLog,
  });
  t.teardown(() => service.close());
  const folder = join(dataDir, 'scans');
  return { service, dataDir, kept: async () => (existsSync(folder) ? readdir(folder) : []) };
}
