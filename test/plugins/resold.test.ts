/** docs/licences.md, "Our packages inside yours": the example as it is printed there, with its licence as a file. */
import { mkdir, mkdtemp, rename, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import t from 'tap';
import { read } from '../docs/pages.js';
import { get, scan, until } from '../spec/calls.js';
import { platen } from '../topology/platen.js';
import { sheets } from '../topology/sheets.js';
import { virtualTopology as topology } from '../topology/virtualTopology.js';

interface Features {
  readonly text: { readonly available: boolean };
  readonly off: readonly object[];
}

const guide = read('docs/licences.md');
const example = (language: string): string =>
  [...guide.matchAll(/^```(\w*)[^\n]*\n([\s\S]*?)^```$/gm)].find(
    ([, found, code = '']) => found === language && code.includes('@acme/premium-text'),
  )?.[2] ?? '';
const packageOf = (name: string): string => dirname(fileURLToPath(import.meta.resolve(`${name}/package.json`)));

t.test(
  'a package of ours inside a premium one: off without a licence, on with a file, and off without it again',
  async t => {
    const folder = await mkdtemp(join(tmpdir(), 'platen-resold-'));
    t.teardown(() => rm(folder, { recursive: true, force: true }));
    const env = { PLATEN_DATA_DIR: join(folder, 'vendor') };
    const key = join(folder, 'vendor.key');
    const { out } = await platen(['licence', 'keys', '--out', key], { env }).ended;
    const publicKey = /`([^`]+)`/.exec(out)?.[1] ?? '';

    const own = join(folder, 'node_modules', '@acme', 'premium-text');
    await mkdir(own, { recursive: true, mode: 0o755 });
    await mkdir(join(folder, 'node_modules', '@platen'), { mode: 0o755 });
    for (const name of ['@platen/core', '@platen/ocr'])
      await symlink(packageOf(name), join(folder, 'node_modules', name));
    await writeFile(join(own, 'index.js'), example('js'));
    await writeFile(join(own, 'publicKey.js'), `export const publicKey = ${JSON.stringify(publicKey)};\n`);
    await writeFile(
      join(own, 'package.json'),
      JSON.stringify({ name: '@acme/premium-text', version: '1.0.0', type: 'module', exports: './index.js' }),
    );
    for (const name of ['conf.d', 'licences']) await mkdir(join(folder, name), { mode: 0o755 });
    await writeFile(join(folder, 'conf.d', '20-premium.json'), example('json'), { mode: 0o644 });

    const fixture = await topology.start({ folder, recognisers: ['@platen/ocr'] });
    t.teardown(async () => void (await fixture.stop()));
    const features = async (): Promise<Features> => (await get<Features>(fixture, '/api/features')).json;
    t.equal((await features()).text.available, false);
    t.match((await features()).off, new Set([{ id: 'ocr', why: 'not-licensed' }]));
    await fixture.load('duplex', sheets(1));
    const { json } = await scan(fixture, 'duplex', { ocrEnabled: true, resolution: 75 });
    t.match(json, { success: true, imageCount: 1 });
    t.ok(json.notes === undefined || json.message.includes('Text was not read'), 'a note, and the page');

    const claims = ['--plugin', '@acme/premium-text', '--customer', 'Acme Clinic', '--days', '30', '--grace', '14'];
    const made = join(folder, 'acme.licence');
    t.equal((await platen(['licence', 'sign', '--key', key, ...claims, '--out', made], { env }).ended).code, 0);
    await rename(made, join(folder, 'licences', 'acme.licence'));
    await until(async () => (await features()).text.available);
    await rm(join(folder, 'licences', 'acme.licence'));
    await until(async () => !(await features()).text.available);

    await rm(join(folder, 'conf.d', '20-premium.json'));
    await until(async () => (await features()).text.available);
    const service = { PLATEN_DATA_DIR: fixture.dataDir, PLATEN_CONFIG: join(folder, 'platen.json') };
    const { out: said } = await platen(['plugins', 'enable', '@acme/premium-text'], { env: service }).ended;
    t.match(said, '@acme/premium-text was added: it is off, because it is not licensed.');
  },
);
