/** Broken plugins, loaded by the service and in a process of their own: a row for each fault, and more rows for the long test. */
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import t, { type Test } from 'tap';
import { platen } from '../topology/platen.js';

const broken = fileURLToPath(new URL('../../plugins/fixtures/broken/', import.meta.url));
const folder = await mkdtemp(join(tmpdir(), 'platen-same-'));
t.teardown(() => rm(folder, { recursive: true, force: true }));
await writeFile(join(folder, 'syntax.mjs'), 'export default {;');
await writeFile(join(folder, 'deviceless.mjs'), plugin('return { drivers: [{ id: "a" }] };'));

function plugin(setup: string): string {
  return `export default { name: '@acme/a', api: 1, setup() { ${setup} } };`;
}

interface Report {
  readonly state: string;
  readonly fault?: string;
  readonly sentence: string;
}

async function list(plugins: readonly object[]): Promise<{ code: number | null; log: string; reports: Report[] }> {
  const file = join(folder, 'platen.json');
  await writeFile(file, JSON.stringify({ plugins }), { mode: 0o600 });
  const { code, out, log } = await platen(['plugins', 'list', '--json', '--config', file], {
    env: { PLATEN_DATA_DIR: join(folder, 'data') },
  }).ended;
  return { code, log, reports: out === '' ? [] : (JSON.parse(out) as Report[]) };
}

/** The fault, and options for it. */
type Row = readonly [use: string, fault: string | undefined, options?: object];

export const rows: readonly Row[] = [
  [join(broken, 'throws-in-setup'), 'setup'],
  [join(broken, 'wrong-api'), 'api'],
  ['@nobody/platen-missing', 'not-installed'],
  [join(folder, 'syntax.mjs'), 'import'],
  [join(broken, 'no-default-export'), 'not-a-plugin'],
  [join(broken, 'bad-schema'), undefined],
  [join(broken, 'strict-options'), 'options', { count: 0 }],
];

export const moreRows: readonly Row[] = [
  [join(broken, 'returns-nonsense'), 'setup'],
  [join(broken, 'misspelt-contribution'), 'setup'],
  [join(folder, 'deviceless.mjs'), 'setup'],
  [join(broken, 'throws-on-import'), 'import'],
  [join(broken, 'not-a-plugin'), 'not-a-plugin'],
  [join(broken, 'takes-no-options'), 'options', { quality: 5 }],
];

/** The same state, fault and sentence in the service and in its own process. */
export async function areTheSame(t: Test, of: readonly Row[]): Promise<void> {
  const entries = (isolate: boolean) =>
    of.map(([use, , options]) => ({ use, isolate, ...(options === undefined ? {} : { options }) }));
  const { reports: here } = await list(entries(false));
  const { reports: apart } = await list(entries(true));
  of.forEach(([use, fault], at) => {
    t.match(here[at], { state: 'refused', fault }, use);
    t.same(apart[at], here[at], use);
  });
}

/** A plugin of this source ends its process: it is no success, and it is named. */
export async function isNamed(t: Test, name: string, source: string): Promise<void> {
  const use = join(folder, `${name}.mjs`);
  await writeFile(use, `${source}\n${plugin('return {};')}`);
  const here = await list([{ use }]);
  t.equal(here.code, 1, name);
  t.ok(here.log.includes(use) && here.log.includes('"isolate": true'), here.log);
  const apart = await list([{ use, isolate: true }]);
  t.equal(apart.code, 1, name);
  t.match(apart.reports, [{ state: 'refused', fault: 'isolation' }]);
  t.ok(apart.reports[0]?.sentence.includes(use));
}
