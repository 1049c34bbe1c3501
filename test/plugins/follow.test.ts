/** docs/write-a-plugin.md, "Following scans": the meter as it is printed there, in a service that scans. */
import { mkdir, mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import t from 'tap';
import { read } from '../docs/pages.js';
import { quick } from '../spec/autoscanCalls.js';
import { scan, until } from '../spec/calls.js';
import { sheets } from '../topology/sheets.js';
import { virtualTopology as topology } from '../topology/virtualTopology.js';

const guide = read('docs/write-a-plugin.md');
const meter = [...guide.matchAll(/^```js\n([\s\S]*?)^```$/gm)].find(([, code]) =>
  code?.includes('@acme/page-meter'),
)?.[1];

/** Writes each event as a line. */
const audit = `
import { appendFile } from 'node:fs/promises';
import { join } from 'node:path';
export default { name: '@acme/audit', api: 1, setup: ({ dataDir }) => ({
  follow: event => appendFile(join(dataDir, 'audit.jsonl'), JSON.stringify(event) + '\\n'),
}) };`;

interface Event {
  readonly event: string;
  readonly scan: string;
  readonly kind?: string;
  readonly pages?: number;
  readonly code?: string;
  readonly origins?: readonly string[];
}

t.test('events: pages are counted, in order and per scan; no origin unless the configuration says so', async t => {
  const folder = await mkdtemp(join(tmpdir(), 'platen-follow-'));
  t.teardown(() => rm(folder, { recursive: true, force: true }));
  await mkdir(join(folder, 'node_modules', '@platen'), { recursive: true, mode: 0o755 });
  await symlink(
    dirname(fileURLToPath(import.meta.resolve('@platen/core/package.json'))),
    join(folder, 'node_modules', '@platen', 'core'),
  );
  await writeFile(join(folder, 'meter.mjs'), meter ?? '');
  await writeFile(join(folder, 'audit.mjs'), audit);
  const fixture = await topology.start({ folder, recognisers: ['./meter.mjs', './audit.mjs'] });
  t.teardown(async () => void (await fixture.stop()));
  const events = async (): Promise<Event[]> =>
    (await readFile(join(fixture.dataDir, 'audit.jsonl'), 'utf8').catch(() => ''))
      .split('\n')
      .filter(line => line !== '')
      .map(line => JSON.parse(line) as Event);
  const ended = async (): Promise<Event[]> => (await events()).filter(({ event }) => event === 'scan-ended');

  await fixture.load('duplex', sheets(1, 2, 3));
  const origin = 'https://shop.example';
  await scan(fixture, 'duplex', quick, { headers: { origin } });
  await until(async () => (await ended()).length === 1);
  const first = await events();
  t.strictSame(
    first.map(({ event }) => event),
    ['scan-started', 'page-stored', 'page-stored', 'page-stored', 'scan-ended'],
  );
  t.equal(new Set(first.map(each => each.scan)).size, 1);
  t.notOk(first.some(each => each.origins !== undefined));
  t.match(first.at(-1), { pages: 3 });
  t.notOk('code' in first.at(-1)!);

  await fixture.load('jamming', sheets(1, 2));
  await scan(fixture, 'jamming', quick);
  await until(async () => (await ended()).length === 2);
  t.match((await ended()).at(-1), { pages: 1, code: 'paper-jam' });

  await fixture.load('duplex', []);
  await scan(fixture, 'duplex', { ...quick, source: 'Feeder' });
  const body = { scannerName: fixture.name('duplex'), parameters: quick };
  await fixture.request('POST', '/api/twain/autoscan/enable', { body, headers: { origin } });
  await fixture.insert('duplex', sheets(4));
  await until(async () => (await ended()).some(each => each.pages === 1 && each.code === undefined));
  t.match(
    (await events()).filter(({ event }) => event === 'scan-started').map(({ kind }) => kind),
    new Set(['on-demand', 'auto-scan']),
  );
  await fixture.request('POST', '/api/twain/autoscan/disable', { headers: { origin } });

  await until(async () => {
    const counted = JSON.parse(
      await readFile(join(fixture.dataDir, 'acme-page-meter.json'), 'utf8').catch(() => '{}'),
    ) as Record<string, number>;
    return Object.values(counted).reduce((sum, each) => sum + each, 0) === 5;
  });
});
