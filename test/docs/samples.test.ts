/** The configurations of the documents, as people copy them: `platen config check` accepts them, and they take nothing away. */
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import t from 'tap';
import { platen } from '../topology/platen.js';
import { blocks, clone, pages, read } from './pages.js';

interface Entry {
  readonly use: string;
  readonly enabled?: boolean;
}
interface Configuration {
  readonly plugins: readonly Entry[];
}

const folder = await mkdtemp(join(tmpdir(), 'platen-samples-'));
t.teardown(() => rm(folder, { recursive: true, force: true }));
const shipped = JSON.parse(await readFile(join(clone, 'server/config/platen.json'), 'utf8')) as Configuration;

const samples = pages.flatMap(page =>
  blocks(read(page), 'json')
    .filter(code => /"(plugins|use)"/.test(code))
    .map(code => ({ page, sample: JSON.parse(code) as Entry | Configuration })),
);
/** Of the service. The desktop application's has drivers only, and keys of its own. */
const wholes = samples.flatMap(({ page, sample }) =>
  'plugins' in sample && !('channel' in sample) ? [{ page, sample }] : [],
);
/** An entry for `plugins` alone, as the README of each plugin has one. Vendors' are made up. */
const entries = samples.flatMap(({ page, sample }) =>
  'use' in sample && sample.use.startsWith('@platen/') ? [{ page, sample }] : [],
);

async function checked(configuration: object): Promise<{ code: number | null; out: string }> {
  const file = join(folder, 'platen.json');
  await writeFile(file, JSON.stringify(configuration), { mode: 0o600 });
  const { code, out, log } = await platen(['config', 'check', '--config', file], {
    env: { PLATEN_DATA_DIR: join(folder, 'data') },
  }).ended;
  return { code, out: out + log };
}

t.test('documents: each whole configuration passes the check without a warning', async t => {
  t.ok(wholes.length >= 4);
  for (const { page, sample } of wholes) {
    const { code, out } = await checked(sample);
    t.equal(code, 0, `${page}: ${out}`);
    t.notMatch(out, /^!/m, page);
  }
});

t.test('documents: each whole configuration lists every plugin of the shipped one', async t => {
  for (const { page, sample } of wholes) {
    const listed = new Set(sample.plugins.map(({ use }) => use));
    t.same(
      shipped.plugins.map(({ use }) => use).filter(use => !listed.has(use)),
      [],
      page,
    );
  }
});

t.test('deployment: the second group has no barcodes and no text, and everything else', async t => {
  const off = wholes
    .filter(({ page }) => page === 'docs/deployment.md')
    .map(({ sample }) => sample.plugins.filter(({ enabled }) => enabled === false).map(({ use }) => use));
  t.same(off, [[], ['@platen/barcode', '@platen/ocr']]);
});

t.test('documents: each entry for one plugin passes the check in the shipped configuration', async t => {
  t.ok(entries.length > 12);
  const all = new Map([...shipped.plugins, ...entries.map(({ sample }) => sample)].map(entry => [entry.use, entry]));
  const { code, out } = await checked({ ...shipped, $schema: undefined, plugins: [...all.values()] });
  t.equal(code, 0, out);
});
