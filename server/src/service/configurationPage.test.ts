/** The tables of docs/configuration.md match the schema. */
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { pairsOf } from '@platen/conformance';
import t from 'tap';
import { readAdministratorsGrants } from './consent/administrator.js';
import { readConfig } from '../machine/config/read.js';
import { logLevels } from '../machine/config/schema.js';

interface Described {
  readonly default?: unknown;
  readonly deprecated?: boolean;
  readonly properties?: Readonly<Record<string, Described>>;
}

const root = new URL('../../../', import.meta.url);
const page = await readFile(new URL('docs/configuration.md', root), 'utf8');
const schema = JSON.parse(await readFile(new URL('server/config/schema.json', root), 'utf8')) as Described;

/** Keys of groups as `group.key`, with their defaults; `none` for an empty list or object. */
function defaultsOf({ properties = {} }: Described, before = ''): [string, string][] {
  const present = Object.entries(properties).filter(([, { deprecated }]) => deprecated !== true);
  return present.flatMap(([key, each]): [string, string][] =>
    each.properties
      ? defaultsOf(each, `${before}${key}.`)
      : [[before + key, JSON.stringify(each.default ?? {}) === '{}' ? 'none' : String(each.default) || 'none']],
  );
}

t.test("configuration page: its keys and defaults are the schema's", async t => {
  const { $schema: _, ...keys } = Object.fromEntries(defaultsOf(schema));
  t.strictSame(pairsOf(page, 'Keys'), keys);
});

t.test('configuration page: its examples are accepted', async t => {
  const blocks = [...page.matchAll(/```json\n([^]*?)```/g)].map(([, text]) => text ?? '');
  const [grants, configurations] = [true, false].map(isGrants =>
    blocks.filter(text => text.includes('"grants"') === isGrants),
  ) as [string[], string[]];
  const folder = t.testdir(
    Object.fromEntries([...configurations, ...grants].map((text, at) => [`${at}.json`, text] as const)),
  );
  const file = (at: number): string => join(folder, `${at}.json`);
  for (const [at] of configurations.entries()) await t.resolves(readConfig(file(at)), String(at));
  const found = await readAdministratorsGrants(file(configurations.length), t.fail);
  t.same(
    [...found.values()].map(({ may }) => may.length),
    [2, 1, 0],
  );
});

t.test('configuration page: it names every log level', async t => {
  for (const level of logLevels) t.match(page, level);
});
