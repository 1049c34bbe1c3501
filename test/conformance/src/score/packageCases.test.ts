/** Checks of the package: each finds the package that is wrong in its way. */
import t from 'tap';
import { packageCases } from './packageCases.js';
import type { PackageFacts } from './packageFacts.js';
import { isWithin } from './nodeRange.js';
import { runSuite } from './runSuite.js';

const publicKey =
  '-----BEGIN PUBLIC KEY-----\nMCowBQYDK2VwAyEAGb9ECWmEzf6FQbrBZ9w7lshQhqowtrbLDFw4rXAxZuE=\n-----END PUBLIC KEY-----\n';
const sha256 = 'a'.repeat(64);

const manifest = {
  name: '@acme/png',
  type: 'module',
  license: 'MIT',
  exports: { '.': { types: './dist/plugin.d.ts', default: './dist/plugin.js' }, './data/*': './data/*.json' },
  peerDependencies: { '@platen/core': '^0.1.0' },
  optionalDependencies: { '@acme/png-linux-x64': '1.0.0' },
  engines: { node: '>=22' },
  platen: {
    conformance: './dist/conformance.js',
    prebuilt: { 'linux-x64': { package: '@acme/png-linux-x64', sha256: { 'acme-helper': sha256 } } },
  },
};
const packed = ['LICENSE', 'README.md', 'package.json', 'dist/plugin.js', 'dist/plugin.d.ts', 'data/a.json'];
const plugin: NonNullable<PackageFacts['plugin']> = {
  name: '@acme/png',
  api: 1,
  premium: { publicKey },
  optionsSchema: { type: 'object', properties: { level: { type: 'number', description: 'of compression' } } },
};
const facts: PackageFacts = {
  name: '@acme/png',
  manifest,
  packed,
  plugin,
  loaded: { use: '@acme/png', state: 'loaded', provides: [{ kind: 'format', id: 'Png' }] },
  follows: false,
  coreNode: '>=20.19',
};

async function outcomes(changed: Partial<PackageFacts>) {
  const suite = { make: async () => ({}), features: { ...facts, ...changed } };
  return runSuite({ name: 'the package', kind: 'package' }, packageCases, suite);
}

t.test('packageCases: a right package, all passed', async t => {
  t.same(
    (await outcomes({})).filter(each => each.outcome !== 'pass'),
    [],
  );
});

const wrongs: Readonly<Record<string, readonly Partial<PackageFacts>[]>> = {
  'package-is-a-module': [
    { manifest: { ...manifest, type: undefined } },
    { manifest: { ...manifest, exports: undefined } },
  ],
  'package-core-is-a-peer': [
    { manifest: { ...manifest, peerDependencies: {} } },
    ...['0.1.0', '=0.1.0', 'v0.1.0', '0.1.0-beta.1', 'workspace:*', 'file:../core'].map(range => ({
      manifest: { ...manifest, peerDependencies: { '@platen/core': range } },
    })),
    { manifest: { ...manifest, dependencies: { '@platen/core': '^0.1.0' } } },
  ],
  'package-names-its-node': [
    { manifest: { ...manifest, engines: undefined } },
    ...['>=18', '^18 || >=22', '>=20.10', '*', '<24'].map(node => ({ manifest: { ...manifest, engines: { node } } })),
  ],
  'package-names-its-prebuilt-helpers': [
    { linux: { package: '@acme/png-linux-x64', sha256: { a: sha256 } } },
    { 'linux-x64': { package: '@acme/png-linux-x64' } },
    { 'linux-x64': { sha256: { a: sha256 } } },
    { 'linux-x64': { package: '@acme/other', sha256: { a: sha256 } } },
    { 'linux-x64': { package: '@acme/png-linux-x64', sha256: { a: sha256.toUpperCase() } } },
    { 'win32-x64': { package: '@acme/png-linux-x64', sha256: { a: sha256 } } },
    { 'linux-x64': { package: '@acme/png-linux-x64', sha256: { 'a.exe': sha256 } } },
  ].map(prebuilt => ({ manifest: { ...manifest, platen: { prebuilt } } })),
  'package-packs-its-entry-points': [
    { packed: packed.filter(each => each !== 'dist/plugin.d.ts') },
    { packed: packed.filter(each => each !== 'data/a.json') },
    { manifest: { ...manifest, bin: './bin/acme.js' } },
  ],
  'package-packs-no-tests': ['dist/a.test.js', 'test/a.js', 'dist/conformance.js', 'src/a.spec.ts'].map(file => ({
    packed: [...packed, file],
  })),
  'package-has-its-licence': [
    { packed: packed.filter(each => each !== 'LICENSE') },
    { manifest: { ...manifest, license: undefined } },
    { manifest: { ...manifest, license: 'SEE LICENSE IN EULA.txt' } },
  ],
  'package-has-a-readme': [{ packed: packed.filter(each => each !== 'README.md') }],
  'package-is-loaded': [
    { loaded: { use: 'a', state: 'refused', fault: 'setup', sentence: 'no libacme', provides: [] } },
    { loaded: { use: 'a', state: 'loaded', provides: [] } },
    {
      loaded: {
        ...facts.loaded,
        unused: [{ kind: 'format', id: 'a b', fault: 'uncallable', sentence: 'no request can say it' }],
      },
    },
  ],
  'package-plugin-has-its-name': [{ plugin: { ...plugin, name: 'png' } }],
  'package-describes-its-options': [
    { properties: { a: {} } },
    { properties: { a: { description: 'a', items: { properties: { b: {} } } } } },
  ].map(optionsSchema => ({ plugin: { ...plugin, optionsSchema } })),
  'package-licence-key-is-readable': ['', 'ssh-ed25519 AAAA', undefined].map(key => ({
    plugin: { ...plugin, premium: { publicKey: key as string } },
  })),
};

t.test('packageCases: every case, packages that fail it', async t => {
  t.same(Object.keys(wrongs).sort(), packageCases.map(({ id }) => id).sort());
  for (const [id, changes] of Object.entries(wrongs)) {
    for (const [index, change] of changes.entries()) {
      const result = (await outcomes(change)).find(each => each.id === id);
      t.equal(result?.outcome, 'fail', `${id} ${index}: ${result?.message}`);
    }
  }
});

t.test('packageCases: helpers in the package itself, passed if they are packed', async t => {
  const own = { ...manifest, platen: { prebuilt: { 'linux-x64': { sha256: { 'acme-helper': sha256 } } } } };
  const of = async (change: Partial<PackageFacts>) =>
    (await outcomes({ manifest: own, ...change })).find(({ id }) => id === 'package-names-its-prebuilt-helpers')
      ?.outcome;
  t.equal(await of({ packed: [...packed, 'prebuilt/linux-x64/bin/acme-helper'] }), 'pass');
  t.equal(await of({}), 'fail');
});

t.test('packageCases: a plugin that only follows scans, loaded', async t => {
  const loaded = { use: 'a', state: 'loaded', provides: [] } as const;
  const found = (await outcomes({ loaded, follows: true })).find(({ id }) => id === 'package-is-loaded');
  t.equal(found?.outcome, 'pass');
});

t.test('packageCases: npm cannot say what is packed, another system, options: not tried', async t => {
  const untried = async (change: Partial<PackageFacts>): Promise<string[]> =>
    (await outcomes(change)).filter(each => each.outcome === 'not-tried').map(each => each.id);
  t.equal((await untried({ packed: { fault: 'no npm' } })).length, 4);
  t.same(await untried({ loaded: { use: 'a', state: 'skipped', sentence: 'win32 only', provides: [] } }), [
    'package-is-loaded',
  ]);
  const options = { use: 'a', state: 'refused', fault: 'options', sentence: 'host', provides: [] } as const;
  t.same(await untried({ loaded: options }), ['package-is-loaded']);
});

t.test('isWithin: ranges that let in nothing older', async t => {
  for (const range of ['>=20.19', '>=20.19.0', '^20.19 || >=22', '22.x', '~24.1', '>= 20.19.1 < 25', 'v22'])
    t.ok(isWithin(range, '>=20.19'), range);
  for (const range of ['>=20.18.9', '18 || 20', '', 'lts', '>=0']) t.notOk(isWithin(range, '>=20.19'), range);
});
