/** The configurations of the documents, as people copy them: `platen config check` accepts them, and they take nothing away. */
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
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

/** The files of a folder; platen.json is the configuration. */
async function checked(files: Readonly<Record<string, object>>): Promise<{ code: number | null; out: string }> {
  await rm(join(folder, 'conf.d'), { recursive: true, force: true });
  await mkdir(join(folder, 'conf.d'), { mode: 0o755 });
  for (const [name, value] of Object.entries(files))
    await writeFile(join(folder, name), JSON.stringify(value), { mode: 0o600 });
  const { code, out, log } = await platen(['config', 'check', '--config', join(folder, 'platen.json')], {
    env: { PLATEN_DATA_DIR: join(folder, 'data') },
  }).ended;
  return { code, out: out + log };
}

t.test('documents: each configuration passes the check without a warning, beside what is shipped', async t => {
  t.ok(wholes.length >= 2);
  for (const { page, sample } of wholes) {
    const { extends: _, ...added } = sample as Configuration & { extends?: string };
    const { code, out } = await checked({ 'platen.json': { extends: 'shipped' }, 'conf.d/10-sample.json': added });
    t.equal(code, 0, `${page}: ${out}`);
    t.notMatch(out, /^!/m, page);
  }
});

t.test('deployment: the second group has no barcodes and no text, and everything else', async t => {
  const off = wholes
    .filter(({ page }) => page === 'docs/deployment.md')
    .map(({ sample }) => sample.plugins.filter(({ enabled }) => enabled === false).map(({ use }) => use));
  t.same(off, [['@platen/barcode', '@platen/ocr']]);
});

t.test('documents: each entry for one plugin passes the check in the shipped configuration', async t => {
  t.ok(entries.length > 12);
  const all = new Map([...shipped.plugins, ...entries.map(({ sample }) => sample)].map(entry => [entry.use, entry]));
  const { code, out } = await checked({
    'platen.json': { ...shipped, $schema: undefined, plugins: [...all.values()] },
  });
  t.equal(code, 0, out);
});
