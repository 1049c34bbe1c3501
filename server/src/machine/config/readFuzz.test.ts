/** Damaged configurations: read, or refused with sentences that name the file. */
import { readFileSync } from 'node:fs';
import { chmod, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { damaged, damagedJson, fuzzed, type Json } from '@platen/conformance/fuzz';
import * as fc from 'fast-check';
import t from 'tap';
import { ConfigError } from '../configError.js';
import { configOf, readConfig } from './read.js';

const VALUE_RUNS = 80;
const FILE_RUNS = 160;

const dir = await mkdtemp(join(tmpdir(), 'platen-config-'));
t.teardown(() => rm(dir, { recursive: true, force: true }));
const file = join(dir, 'platen.json');
await writeFile(file, '{}');
await chmod(file, 0o600);

const texts = ['platen', 'try', 'dev'].map(name =>
  readFileSync(new URL(`../../../config/${name}.json`, import.meta.url)),
);
const values = texts.map(text => JSON.parse(String(text)) as Json);

function assertRefusal(error: unknown): void {
  if (!(error instanceof ConfigError) || !error.message.includes(file)) throw error;
}

t.test('configOf: damaged values, read or refused', async () => {
  fc.assert(
    fc.property(damagedJson(values), value => {
      try {
        configOf(value, file);
      } catch (error) {
        assertRefusal(error);
      }
    }),
    fuzzed(VALUE_RUNS),
  );
});

t.test('readConfig: damaged files, read or refused', async () => {
  const words = ['//', '/*', ',', '"__proto__":', '1e999', '\ufeff', '\\u0000', '{', '}'];
  await fc.assert(
    fc.asyncProperty(damaged(texts, words), async bytes => {
      await writeFile(file, bytes);
      await readConfig(file).catch(assertRefusal);
    }),
    fuzzed(FILE_RUNS),
  );
});
