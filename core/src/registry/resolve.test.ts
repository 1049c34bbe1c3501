/** Where plugins are found: by name, by path, and through every kind of package entry. */
import t from 'tap';
import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { resolvePlugin } from './resolve.js';

const url = (...parts: string[]): string => pathToFileURL(join(...parts)).href;
const pack = (manifest: object): string => JSON.stringify({ name: 'x', version: '1.2.3', ...manifest });

t.test(
  'resolvePlugin: nearest node_modules, upwards from the installation, not above the configuration’s folder',
  async t => {
    const near = { '@acme': { scan: { 'package.json': pack({ exports: './near.js' }) } } };
    const far = {
      '@acme': { scan: { 'package.json': pack({ exports: './far.js' }) } },
      only: { 'package.json': pack({ main: 'up.js' }), 'up.js': '' },
    };
    const dir = t.testdir({ node_modules: far, a: { node_modules: near, b: { c: {} } }, config: {} });
    const from = [join(dir, 'config'), join(dir, 'a', 'b', 'c')];
    t.same(await resolvePlugin('@acme/scan', from), {
      url: url(dir, 'a/node_modules/@acme/scan/near.js'),
      files: [join(dir, 'a/node_modules/@acme/scan/near.js'), join(dir, 'a/node_modules/@acme/scan/package.json')],
      version: '1.2.3',
      declares: [],
    });
    t.match(await resolvePlugin('only', from), { url: url(dir, 'node_modules/only/up.js'), version: '1.2.3' });
    t.equal(await resolvePlugin('@acme/missing', from), undefined);
    t.equal(await resolvePlugin('only', [join(dir, 'a')]), undefined);
  },
);

t.test(
  'resolvePlugin: third-party packages from the configuration’s folder first, ours from the installation',
  async t => {
    const at = (where: string) => ({ 'package.json': pack({ exports: `./${where}.js` }) });
    const dir = t.testdir({
      config: { node_modules: { both: at('config'), '@platen': { ours: at('config'), more: at('config') } } },
      install: { node_modules: { both: at('install'), own: at('own'), '@platen': { ours: at('install') } } },
    });
    const folders = [join(dir, 'config'), join(dir, 'install')];
    t.match(await resolvePlugin('both', folders), { url: /config\.js$/ });
    t.match(await resolvePlugin('own', folders), { url: url(dir, 'install/node_modules/own/own.js') });
    t.match(await resolvePlugin('@platen/ours', folders), { url: /install\.js$/ });
    t.match(await resolvePlugin('@platen/more', folders), { url: /config\.js$/ }, 'where the installation lacks it');
  },
);

t.test('resolvePlugin: plugins folder between the configuration and the installation, not above it', async t => {
  const at = (where: string) => ({ 'package.json': pack({ exports: `./${where}.js` }) });
  const added = { own: at('added'), added: at('added'), both: at('added'), '@platen': { core: at('added') } };
  const dir = t.testdir({
    config: { node_modules: { own: at('config') } },
    local: { node_modules: { above: at('above') }, plugins: { node_modules: added } },
    install: { node_modules: { both: at('install'), '@platen': { core: at('install') } }, dist: {} },
  });
  const folders = ['config', 'local/plugins', 'install/dist'].map(each => join(dir, each));
  t.match(await resolvePlugin('own', folders), { url: /config\.js$/ });
  t.match(await resolvePlugin('added', folders), { url: /added\.js$/ });
  t.match(await resolvePlugin('both', folders), { url: /added\.js$/ });
  t.match(await resolvePlugin('@platen/core', folders), { url: /install\.js$/ });
  t.equal(await resolvePlugin('above', folders), undefined);
});

t.test('resolvePlugin: our packages beside the server, or below it as a shrinkwrap puts them', async t => {
  const png = () => ({ 'package.json': pack({ exports: './p.js' }) });
  const layouts = {
    beside: { node_modules: { '@platen': { png: png(), server: { dist: {} } } } },
    below: { node_modules: { '@platen': { server: { dist: {}, node_modules: { '@platen': { png: png() } } } } } },
  };
  const dir = t.testdir(layouts);
  for (const layout of Object.keys(layouts)) {
    const prefix = join(dir, layout);
    const folders = [join(dir, 'config'), prefix, join(prefix, 'node_modules/@platen/server/dist')];
    t.match(await resolvePlugin('@platen/png', folders), { url: /png\/p\.js$/ }, layout);
  }
});

t.test('resolvePlugin: entry of a package, as Node resolves it', async t => {
  const cases: Record<string, [manifest: object, entry: string]> = {
    string: [{ exports: './a.js' }, 'a.js'],
    'conditions with only "import"': [{ exports: { import: './a.mjs' } }, 'a.mjs'],
    'conditions in the order of the package': [
      { exports: { browser: './b.js', node: './n.js', default: './d.js' } },
      'n.js',
    ],
    'a condition that Node does not know': [{ exports: { types: './a.d.ts', default: './d.js' } }, 'd.js'],
    'a map of doors': [{ exports: { './testing': './t.js', '.': './a.js' } }, 'a.js'],
    'a map of doors with nested conditions': [
      { exports: { '.': { types: './a.d.ts', import: { types: './a.d.mts', default: './a.js' } } } },
      'a.js',
    ],
    'a list of alternatives': [{ exports: [{ browser: './b.js' }, './a.js'] }, 'a.js'],
    'exports before main': [{ exports: './a.js', main: './m.js' }, 'a.js'],
    main: [{ main: './m.js' }, 'm.js'],
    'main without its extension': [{ main: 'lib/m' }, 'lib/m.js'],
    'main that is a folder': [{ main: './lib' }, 'lib/index.js'],
    'nothing said': [{}, 'index.js'],
  };
  for (const [name, [manifest, entry]] of Object.entries(cases)) {
    t.test(name, async t => {
      const files = { 'package.json': pack(manifest), 'm.js': '', lib: { 'm.js': '', 'index.js': '' } };
      const dir = t.testdir({ node_modules: { x: files } });
      t.match(await resolvePlugin('x', [dir]), { url: url(dir, 'node_modules/x', entry), version: '1.2.3' });
    });
  }
});

t.test('resolvePlugin: a path, relative to the first folder, a file or a package', async t => {
  const dir = t.testdir({
    first: { 'one.js': '', pack: { 'package.json': pack({ exports: './p.js' }) }, bare: { 'index.js': '' } },
    second: { 'two.js': '' },
  });
  const folders = [join(dir, 'first'), join(dir, 'second')];
  t.match(await resolvePlugin('./one.js', folders), { url: url(dir, 'first/one.js') });
  t.match(await resolvePlugin('./pack', folders), { url: url(dir, 'first/pack/p.js'), version: '1.2.3' });
  t.match(
    await resolvePlugin('./bare', folders),
    { url: url(dir, 'first/bare/index.js') },
    'a folder without a manifest',
  );
  t.match(await resolvePlugin('../second/two.js', folders), { url: url(dir, 'second/two.js') });
  t.match(await resolvePlugin(join(dir, 'second', 'two.js'), folders), { url: url(dir, 'second/two.js') }, 'absolute');
  t.equal(await resolvePlugin('./two.js', folders), undefined, 'not from the second folder');
});

t.test('resolvePlugin: symlinked package, imported once from its real path', async t => {
  const dir = t.testdir({
    real: { 'package.json': pack({ type: 'module', exports: './i.js' }), 'i.js': 'export default import.meta.url;' },
    node_modules: { linked: t.fixture('symlink', '../real') },
  });
  const found = await resolvePlugin('linked', [dir]);
  t.match(found, { url: /linked\/i\.js$/, version: '1.2.3' });
  const module = (await import(found?.url ?? '')) as { default: string };
  t.match(module.default, /real\/i\.js$/);
});

t.test('resolvePlugin: unreadable manifest, an error and not a missing package', async t => {
  const dir = t.testdir({ node_modules: { x: { 'package.json': '{ "name": ' } } });
  await t.rejects(resolvePlugin('x', [dir]), SyntaxError);
});

t.test('resolvePlugin: conditions that Node was started with', async t => {
  const dir = t.testdir({ 'package.json': pack({ exports: { own: './own.js', default: './other.js' } }) });
  const script = `
    const { resolvePlugin } = await import(${JSON.stringify(new URL('./resolve.js', import.meta.url).href)});
    console.log((await resolvePlugin(${JSON.stringify(dir)}, ['.'])).url);`;
  const found = (...flags: string[]) =>
    execFileSync(process.execPath, [...flags, '--input-type=module', '-e', script], { encoding: 'utf8' }).trim();
  t.equal(found('--conditions=own'), url(dir, 'own.js'));
  t.equal(found('--conditions=more', '-C', 'own'), url(dir, 'own.js'));
  t.equal(found('--conditions=more'), url(dir, 'other.js'));
});
