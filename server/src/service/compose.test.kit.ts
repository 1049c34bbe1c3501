/** A service composed of fakes, in a temporary data folder. */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createRegistry, type Contributions, type Log } from '@platen/core';
import type { Test } from 'tap';
import { Default } from 'typebox/value';
import { compose, type Composed } from './compose.js';
import { ConfigSchema, type Config } from '../machine/config/schema.js';
import type { Parts } from './tokens.js';

export interface FakeOptions {
  /** Keys of the configuration; the others have their defaults. */
  readonly config?: object;
  /** Replace the parts that would be made or opened. */
  readonly parts?: Partial<Parts>;
}

/**
 * Composes a service with these drivers, formats and other contributions; closes with the test.
 * @returns it, the log's lines and the data folder
 */
export async function composeFakes(
  t: Test,
  contributions: Contributions,
  { config = {}, parts = {} }: FakeOptions = {},
): Promise<Composed & { readonly lines: readonly string[]; readonly dataDir: string }> {
  const dataDir = await mkdtemp(join(tmpdir(), 'platen-composed-'));
  const lines: string[] = [];
  const say = (line: string) => void lines.push(line);
  const log: Log = { debug: say, info: say, warn: say, error: say };
  const registry = createRegistry();
  registry.add('fakes', contributions);
  const whole = { ...(Default(ConfigSchema, config) as Config), file: join(dataDir, 'platen.json') };
  const composed = await compose({ config: whole, dataDir, log, pluginLog: () => log }, { registry, ...parts });
  t.teardown(async () => {
    await composed.stopScanning();
    await composed.close();
    await rm(dataDir, { recursive: true, force: true });
  });
  return { ...composed, lines, dataDir };
}
