/** Each reason not to load a plugin gives one sentence with the fix, and the other plugins run. */
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { fakeClock, recordingLog } from '@platen/conformance';
import t from 'tap';
import type { PluginEntry } from './entry.js';
import { LOAD_DEADLINE_MS, loadPlugins, type LoadSettings } from './load.js';

const broken = fileURLToPath(new URL('../../../test/plugins/fixtures/broken/', import.meta.url));
const imported = Symbol.for('platen.fixture.imported');

const entry = (use: string, more: Partial<PluginEntry> = {}): PluginEntry => ({
  use,
  enabled: true,
  required: false,
  ...more,
});

function settings(
  entries: readonly PluginEntry[],
  more: Partial<LoadSettings> = {},
): LoadSettings & { logged: string[] } {
  const recorder = recordingLog();
  const log = () => recorder;
  return { entries, folders: [broken], dataDir: broken, platform: 'linux', log, logged: recorder.lines, ...more };
}

/** A healthy plugin that adds to a global list when it is closed. */
const healthy = (name: string, brings = ''): string => `
  globalThis.platenClosed ??= [];
  const close = what => async () => void globalThis.platenClosed.push(what);
  export default { name: '${name}', api: 1, setup: () => ({ close: close('${name}'), ${brings} }) };`;
const driver = (id: string, close = `close('driver ${id}')`): string =>
  `{ id: '${id}', async *devices() {}, open: async () => undefined, close: ${close} }`;
const closed = (): string[] => ((globalThis as { platenClosed?: string[] }).platenClosed ?? []).splice(0);

const refusals: Record<
  string,
  { use?: string; options?: Record<string, unknown>; after?: string; fault?: string; sentence: RegExp }
> = {
  'missing package': {
    fault: 'not-installed',
    use: '@acme/nowhere',
    sentence: /^The plugin "@acme\/nowhere" .*"platen plugins add @acme\/nowhere"/,
  },
  'missing path': {
    fault: 'not-installed',
    use: './nowhere',
    sentence: /^The plugin "\.\/nowhere" .*[/\\]nowhere\..* path/,
  },
  'missing absolute path': { use: '/nowhere/at/all', sentence: /there is no .*at.all\..* path/ },
  'throws-on-import': {
    fault: 'import',
    sentence: /^The plugin "\.\/throws-on-import" .*imported \(the library libacme\.so\.2 is missing\)/,
  },
  'no-default-export': { fault: 'not-a-plugin', sentence: /^The package "\.\/no-default-export" .* definePlugin/ },
  'not-a-plugin': { sentence: / definePlugin/ },
  'wrong-api': { fault: 'api', sentence: /^The plugin "\.\/wrong-api" .*api 2.* api 1/ },
  'bad option': {
    fault: 'options',
    use: './strict-options',
    options: { count: 'two' },
    sentence: /^The plugin "\.\/strict-options" .*: options\.count takes an integer(?!.*"two")/,
  },
  'bad option, deep down': {
    use: './strict-options',
    options: { count: 1, trays: [{}, { name: 7 }] },
    sentence: /options\.trays\[1\]\.name takes a string/,
  },
  'value that is none of a list': {
    use: './strict-options',
    options: { count: 1, mode: 'slow' },
    sentence: /options\.mode takes one of fast, fine(?!.*slow)/,
  },
  'option that is missing': { use: './strict-options', options: {}, sentence: /"options\.count"/ },
  'unknown option': {
    use: './strict-options',
    options: { count: 1, colour: true },
    sentence: /"options\.colour".* count, mode, trays/,
  },
  'options where none are taken': {
    use: './takes-no-options',
    options: { a: 1 },
    sentence: /"options\.a".* none\./,
  },
  'bad-schema': {
    sentence: /^The plugin "\.\/bad-schema" .*loaded \(.*\)\./,
  },
  'throws-in-setup': {
    fault: 'setup',
    sentence: /^The plugin "\.\/throws-in-setup" .*set up \(no licence was found\)\./,
  },
  'returns-nonsense': { sentence: /set up \(drivers\[0\]\.devices is not a function\)\./ },
  'misspelt-contribution': {
    sentence:
      /\(setup returned driver, .*drivers, formats, recognisers, processors, documents, lacks, follow, health, find and close\)/,
  },
  'duplicate-format': {
    after: './duplicate-format',
    sentence: /^The plugin "\.\/duplicate-format" .*the format Png, .*"\.\/duplicate-format"/,
  },
  'duplicate-driver': { fault: 'clash', after: './duplicate-driver', sentence: / the driver virtual, / },
  'duplicate-recogniser': {
    after: './duplicate-recogniser',
    sentence: / the recogniser @broken\/duplicate-recogniser of the kind barcode, /,
  },
};

t.test('load: a plugin reports what it lacks, in its report and the log, and is loaded', async t => {
  const sentence = 'The helper is not built: run "make".';
  const folder = t.testdir({
    lacking: { 'index.js': `export default { name: 'lacking', api: 1, setup: () => ({ lacks: '${sentence}' }) };` },
  });
  const given = settings([entry('./lacking/index.js')], { folders: [folder] });
  const { reports } = await loadPlugins(given);
  t.match(reports, [{ state: 'loaded', lacks: sentence }]);
  t.same(given.logged, [`warn: ${sentence}`]);
});

t.test('load: a contribution that clashes or cannot be called is left out, the rest of its plugin works', async t => {
  const folder = t.testdir({
    'one.mjs': `export default { name: 'one', api: 1, setup: () => ({ processors: [
      { adjustment: 'crop', apply: async page => ({ page, applied: false }) }] }) };`,
    'two.mjs': healthy(
      'two',
      `processors: ['crop', 'deskew', 'sharpen'].map(adjustment =>
      ({ adjustment, apply: async page => ({ page, applied: false }) })), drivers: [${driver('two')}]`,
    ),
    'three.mjs': healthy('three', `processors: [{ adjustment: 'sharpen', apply: async () => {} }]`),
  });
  const given = settings(
    ['./one.mjs', './two.mjs', './three.mjs'].map(use => entry(use)),
    { folders: [folder] },
  );
  const { reports, registry } = await loadPlugins(given);
  t.match(reports, [
    { state: 'loaded' },
    {
      state: 'loaded',
      provides: [
        { kind: 'driver', id: 'two' },
        { kind: 'processor', id: 'deskew' },
      ],
      unused: [
        { kind: 'processor', id: 'crop', fault: 'clash', sentence: /"\.\/two\.mjs" .*"\.\/one\.mjs" already/ },
        { kind: 'processor', id: 'sharpen', fault: 'uncallable', sentence: /"\.\/two\.mjs" / },
      ],
    },
    { state: 'refused', fault: 'uncallable', provides: [] },
  ]);
  t.notOk('unused' in (reports[0] ?? {}));
  t.same(
    registry.processors.map(({ adjustment }) => adjustment),
    ['crop', 'deskew'],
  );
  t.equal(given.logged.filter(line => line.startsWith('warn: ')).length, 2);
  t.same(closed(), ['three'], 'one that adds nothing is closed');
  await registry.close();
  t.same(closed(), ['driver two', 'two']);
});

t.test('load: a licence for a plugin that is not premium, a warning', async t => {
  const given = settings([entry('./takes-no-options', { licence: 'acme.jwt' })]);
  t.match((await loadPlugins(given)).reports, [{ state: 'loaded' }]);
  t.match(given.logged, [/^warn: .*"\.\/takes-no-options".*not premium/]);
});

t.test('load: told which files it imports, before they run', async t => {
  const told: string[] = [];
  await loadPlugins({
    ...settings([entry('./throws-on-import')]),
    importing: (use, [file]) => told.push(`${use} ${file}`),
  });
  t.match(told, [/^\.\/throws-on-import .*throws-on-import.*\.js$/]);
});

t.test('load: refused plugin, one sentence logged as an error, and the others are loaded', async t => {
  for (const [name, { use = `./${name}`, options, after, fault, sentence }] of Object.entries(refusals)) {
    t.test(name, async t => {
      const first = after ?? './takes-no-options';
      const given = settings([
        entry(first),
        entry(use, options ? { options } : {}),
        entry('./strict-options', { options: { count: 3 } }),
      ]);
      const { reports, registry } = await loadPlugins(given);
      t.same(
        reports.map(each => each.state),
        ['loaded', 'refused', 'loaded'],
      );
      const said = reports[1]?.sentence ?? '';
      t.match(said, sentence);
      t.match(reports[1], fault === undefined ? {} : { fault });
      t.notMatch(said, /\n|\.\./, 'one line');
      t.same(
        given.logged.filter(line => !line.startsWith('debug:')),
        [`error: ${said}`],
      );
      t.same(reports[2]?.provides, [{ kind: 'format', id: 'Strict3fine' }], 'defaults are filled in');
      t.ok(
        registry.formats.some(each => each.name === 'Strict3fine'),
        'the rest runs',
      );
    });
  }
});

t.test('load: plugin for another system, skipped without an error', async t => {
  const given = settings([entry('./other-platform', { required: true })]);
  const { reports } = await loadPlugins(given);
  t.match(reports, [
    { state: 'skipped', sentence: 'The plugin "./other-platform" runs on aix, sunos only, and this is linux.' },
  ]);
  t.same(given.logged, [`info: ${reports[0]?.sentence}`]);
});

t.test('load: disabled, or configured for another system, never imported', async t => {
  const given = settings([
    entry('./tells-of-import', { enabled: false }),
    entry('./tells-of-import', { on: ['win32', 'darwin'] }),
  ]);
  const { reports } = await loadPlugins(given);
  t.match(reports, [
    { state: 'disabled', sentence: 'The plugin "./tells-of-import" is disabled in the configuration.' },
    {
      state: 'skipped',
      sentence: /"\.\/tells-of-import" on win32, darwin only.* linux/,
    },
  ]);
  t.notOk(imported in globalThis);
  await loadPlugins(settings([entry('./tells-of-import', { on: ['linux'] })]));
  t.ok(imported in globalThis, 'the mark is left when it is imported');
});

t.test('load: what is not loaded says what its manifest provides, and is not imported', async t => {
  const provides = [{ kind: 'recogniser', id: 'ocr' }];
  const manifest = { name: 'reads', type: 'module', exports: './i.js', platen: { provides } };
  const dir = t.testdir({
    node_modules: {
      reads: { 'package.json': JSON.stringify(manifest), 'i.js': 'throw new Error("It is broken.");' },
    },
  });
  const entries = [entry('reads', { enabled: false }), entry('reads', { on: ['win32'] }), entry('reads')];
  const { reports } = await loadPlugins(settings(entries, { folders: [dir] }));
  t.match(
    reports.map(({ state, declares, fault }) => ({ state, declares, fault })),
    [
      { state: 'disabled', declares: provides, fault: undefined },
      { state: 'skipped', declares: provides, fault: undefined },
      { state: 'refused', declares: provides, fault: 'import' },
    ],
  );
});

t.test('load: import or setup does not end, left out after the deadline; what it makes later is closed', async t => {
  const hooks = globalThis as { platenBegan?: () => void; platenGate?: Promise<void> };
  for (const [what, words] of [
    ['setup', 'set up'],
    ['import', 'imported'],
  ] as const) {
    const clock = fakeClock();
    const wait = 'globalThis.platenBegan(); await globalThis.platenGate;';
    const source = healthy('slow', `drivers: [${driver('slow')}]`);
    const dir = t.testdir({
      [`${what}.mjs`]:
        what === 'import'
          ? `${wait}\n${source}`
          : source.replace('setup: () => ({', `setup: async () => { ${wait} return {`).replace(/\}\) \};$/, '} } };'),
    });
    let open = (): void => undefined;
    hooks.platenGate = new Promise(resolve => (open = resolve));
    const began = new Promise<void>(resolve => (hooks.platenBegan = resolve));
    const loading = loadPlugins(settings([entry(`./${what}.mjs`)], { folders: [dir], clock }));
    await began;
    await clock.advance(LOAD_DEADLINE_MS);
    const [report] = (await loading).reports;
    t.match(report, { state: 'refused' });
    t.match(
      report?.sentence,
      new RegExp(`^The plugin "./${what}.mjs" could not be ${words} \\(it took longer than 30 seconds\\)\\. `),
    );
    open();
    await clock.advance(0);
    t.same(closed(), what === 'setup' ? ['driver slow', 'slow'] : []);
  }
});

t.test('load: refused plugin, what it made is closed', async t => {
  const dir = t.testdir({
    'nonsense.mjs': healthy('nonsense', `drivers: [${driver('one')}, null, { close: 7 }]`),
    'list.mjs': healthy('list', 'drivers: {}'),
    'first.mjs': healthy('first', `drivers: [${driver('same')}]`),
    'second.mjs': healthy('second', `drivers: [${driver('same', `close('the second same')`)}]`),
    'twice.mjs': healthy('twice', `drivers: [${driver('a')}, ${driver('a')}]`),
  });
  const load = (...names: string[]) =>
    loadPlugins(
      settings(
        names.map(name => entry(`./${name}.mjs`)),
        { folders: [dir] },
      ),
    );
  t.match((await load('nonsense')).reports, [{ state: 'refused', sentence: /drivers\[1\]\.id is not a string/ }]);
  await fakeClock().advance(0);
  t.same(closed(), ['driver one', 'nonsense']);
  t.match((await load('list')).reports, [{ state: 'refused', sentence: /drivers is not a list/ }]);
  await fakeClock().advance(0);
  t.same(closed(), ['list']);
  t.match((await load('first', 'second')).reports, [
    { state: 'loaded' },
    { state: 'refused', sentence: /the driver same, .*"\.\/first\.mjs"/ },
  ]);
  t.same(closed(), ['the second same', 'second']);
  t.match((await load('twice')).reports, [{ state: 'loaded', unused: [{ sentence: /the driver a twice/ }] }]);
  t.same(closed(), ['driver a'], 'the second one');
});

t.test('load: a document format that is incomplete, or has what another one has, refused', async t => {
  const document = (more: string): string =>
    `documents: [{ name: 'Doc', mimeType: 'text/d', extension: 'doc', async *write() {}, ${more} }]`;
  const dir = t.testdir({
    'sound.mjs': healthy('sound', document("aliases: ['d']")),
    'no-write.mjs': healthy('no-write', document('write: undefined')),
    'no-extension.mjs': healthy('no-extension', document('extension: undefined')),
    'dot.mjs': healthy('dot', document("extension: '.odt'")),
    'capitals.mjs': healthy('capitals', document("extension: 'odt', aliases: ['ODT']")),
    'one-alias.mjs': healthy('one-alias', document("aliases: 'odt'")),
    'number.mjs': healthy('number', document('aliases: [7]')),
    'same-name.mjs': healthy('same-name', document("name: 'DOC', extension: 'other'")),
    'same-alias.mjs': healthy('same-alias', document("name: 'Other', extension: 'other', aliases: ['x', 'doc']")),
    'as-alias.mjs': healthy('as-alias', document("name: 'Other', extension: 'd'")),
  });
  const sentences: Record<string, RegExp> = {
    'no-write': /documents\[0\]\.write is not a function/,
    'no-extension': /documents\[0\]\.extension is not a string/,
    dot: /documents\[0\] .*"\.odt"/,
    capitals: /documents\[0\] .*"ODT"/,
    'one-alias': /documents\[0\]\.aliases is not a list/,
    number: /documents\[0\] .*"7"/,
    'same-name': /the document format doc, .*"\.\/sound\.mjs"/,
    'same-alias': /the document format doc, .*"\.\/sound\.mjs"/,
    'as-alias': /the document format d, .*"\.\/sound\.mjs"/,
  };
  const entries = ['sound', ...Object.keys(sentences)].map(name => entry(`./${name}.mjs`));
  const { reports, registry } = await loadPlugins(settings(entries, { folders: [dir] }));
  t.match(reports[0], { state: 'loaded', provides: [{ kind: 'document', id: 'Doc' }] });
  for (const [i, sentence] of Object.values(sentences).entries())
    t.match(reports[i + 1], { state: 'refused', sentence, provides: [] });
  t.same(
    registry.documents.map(({ name }) => name),
    ['Doc'],
  );
  closed();
});

t.test('load: required plugin refused, the load stops and earlier plugins are closed', async t => {
  const dir = t.testdir({ 'good.mjs': healthy('good', `drivers: [${driver('good')}]`), 'never.mjs': healthy('never') });
  const given = settings([entry('./good.mjs'), entry('@acme/nowhere', { required: true }), entry('./never.mjs')], {
    folders: [dir],
  });
  await t.rejects(loadPlugins(given), {
    message: /^The plugin "@acme\/nowhere" is not installed\..* required\.$/,
  });
  t.same(closed(), ['driver good', 'good']);
});

t.test('load: a plugin, reported with version and contributions; setup gets its options, log and folders', async t => {
  const dir = t.testdir({
    node_modules: {
      full: {
        'package.json': JSON.stringify({ name: 'full', version: '3.2.1', type: 'module', exports: './i.js' }),
        'i.js': `export default { name: 'full', api: 1, setup({ options, log, dataDir, packageFolders }) {
          log.info([JSON.stringify(options), dataDir, ...packageFolders].join(' '));
          return {
            drivers: [${driver('d', 'async () => {}')}],
            formats: [{ name: 'F', aliases: [], mimeType: 'image/f', encode: async () => {} }],
            recognisers: [{ kind: 'ocr', read: async () => '' }, { kind: 'barcode', read: async () => [] }],
            processors: [{ adjustment: 'deskew', apply: async () => {} }],
            documents: [{ name: 'Doc', mimeType: 'text/d', extension: 'doc', aliases: ['d'], async *write() {} }],
          };
        } };`,
      },
    },
  });
  const given = settings([entry('full')], { folders: [dir], dataDir: '/data' });
  const { reports, registry } = await loadPlugins(given);
  t.same(reports, [
    {
      use: 'full',
      state: 'loaded',
      version: '3.2.1',
      provides: [
        { kind: 'driver', id: 'd' },
        { kind: 'format', id: 'F' },
        { kind: 'recogniser', id: 'ocr' },
        { kind: 'recogniser', id: 'barcode' },
        { kind: 'processor', id: 'deskew' },
        { kind: 'document', id: 'Doc' },
      ],
    },
  ]);
  t.same(given.logged, [`info: {} /data ${dir}`]);
  t.match(registry, {
    drivers: [{ id: 'd' }],
    formats: [{ name: 'F' }],
    processors: [{ adjustment: 'deskew' }],
    documents: [{ name: 'Doc', extension: 'doc' }],
    ocr: { kind: 'ocr' },
    barcode: { kind: 'barcode' },
  });
});

t.test('load: options, the plugin gets its own copy', async t => {
  const options = { count: 1 };
  await loadPlugins(settings([entry('./strict-options', { options })]));
  t.same(options, { count: 1 }, 'no default of the schema has come into the configuration');
});

t.test('load: package with a broken manifest, refused with the fix', async t => {
  const dir = t.testdir({ node_modules: { x: { 'package.json': '{' } } });
  const { reports } = await loadPlugins(settings([entry('x')], { folders: [dir] }));
  t.match(reports, [
    {
      state: 'refused',
      sentence: /^The plugin "x" could not be loaded \(.+\)\./,
    },
  ]);
});

t.test('load: no platform given, the running system’s', async t => {
  const { platform: _, ...rest } = settings([entry('./tells-of-import', { on: [process.platform] })]);
  t.match((await loadPlugins(rest)).reports, [{ state: 'loaded' }]);
});

t.test(
  'load: code that other accounts can write, not run; checked once for all, and a path is refused by its own name',
  async t => {
    const dir = t.testdir({
      'good.mjs': healthy('good'),
      'bad.mjs': "throw new Error('it ran')",
      'off.mjs': '',
      'elsewhere.mjs': '',
    });
    const asked: (readonly string[])[] = [];
    const given = settings(
      [
        entry('./bad.mjs'),
        entry('./good.mjs'),
        entry('./off.mjs', { enabled: false }),
        entry('./elsewhere.mjs', { on: ['win32'] }),
        entry('./missing.mjs'),
      ],
      {
        folders: [dir],
        async vet(files) {
          asked.push(files);
          return files.map(file => (/bad/.test(file) ? `${file} is nobody's: remove it` : undefined));
        },
      },
    );
    const { reports } = await loadPlugins(given);
    t.same(asked, [[join(dir, 'bad.mjs'), join(dir, 'good.mjs')]]);
    t.match(
      reports.map(({ state }) => state),
      ['refused', 'loaded', 'disabled', 'skipped', 'refused'],
    );
    t.match(reports[0]?.sentence, /^The plugin ".\/bad.mjs" is not loaded: .*bad.mjs is nobody's: remove it\.$/);
  },
);
