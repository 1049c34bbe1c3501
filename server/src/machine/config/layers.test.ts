import { chmod, mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import t, { type Test } from 'tap';
import { ConfigError } from '../configError.js';
import { readConfig, readHostConfig } from './read.js';
import { hostJson, platenJson } from './shipped.js';

/** Files of a new folder, by their paths in it. @returns the folder */
async function folderOf(t: Test, files: Readonly<Record<string, unknown>>): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'platen-layers-'));
  t.teardown(() => rm(folder, { recursive: true, force: true }));
  for (const [name, value] of Object.entries(files)) {
    const file = join(folder, name);
    await mkdir(dirname(file), { recursive: true, mode: 0o755 });
    await writeFile(file, typeof value === 'string' ? value : JSON.stringify(value, null, 2), { mode: 0o644 });
  }
  return folder;
}

async function refusal(reading: Promise<unknown>): Promise<ConfigError> {
  const error = await reading.then(
    value => new Error(`was taken: ${JSON.stringify(value)}`),
    (reason: unknown) => reason,
  );
  if (error instanceof ConfigError) return error;
  throw error;
}

const shipped = await readConfig(platenJson);

t.test('readConfig: a file that only extends the shipped configuration is the shipped one', async t => {
  const folder = await folderOf(t, { 'platen.json': { extends: 'shipped' } });
  const read = await readConfig(join(folder, 'platen.json'));
  t.strictSame(read.plugins, shipped.plugins);
  t.strictSame(read.files, [platenJson, join(folder, 'platen.json')]);
  t.equal(read.file, join(folder, 'platen.json'));
  t.notOk('extends' in read);
  const host = await folderOf(t, { 'host.json': { extends: 'shipped' } });
  t.strictSame((await readHostConfig(join(host, 'host.json'))).plugins, (await readHostConfig(hostJson)).plugins);
});

t.test('readConfig: plugins are merged by name, other objects key by key, and lists are replaced', async t => {
  const folder = await folderOf(t, {
    'base.json': {
      plugins: [
        { use: '@platen/format-png', required: true },
        { use: '@acme/one', options: { port: 1, hosts: ['a', 'b'], deep: { x: 1, y: 2 } } },
      ],
      security: { origins: ['https://a.example'] },
      log: { level: 'warn', files: 7 },
    },
    'platen.json': {
      extends: 'base.json',
      plugins: [{ use: '@acme/two' }, { use: '@acme/one', options: { hosts: ['c'], deep: { y: 3 } } }],
      log: { files: 8 },
    },
    'conf.d/90-last.json': { plugins: [{ use: '@acme/one', enabled: true }] },
    'conf.d/10-first.json': {
      plugins: [
        { use: '@acme/one', enabled: false },
        { use: '@platen/format-png', enabled: false },
      ],
      security: { origins: ['https://b.example'] },
    },
    'conf.d/README': 'not a configuration',
    'conf.d/.10-first.json.swp.json': 'an editor\u2019s own',
  });
  const { plugins, security, log, files, sourceOf } = await readConfig(join(folder, 'platen.json'));
  t.match(
    plugins.map(({ use, enabled, required }) => [use, enabled, required]),
    [
      ['@platen/format-png', false, true],
      ['@acme/one', true, false],
      ['@acme/two', true, false],
    ],
  );
  t.strictSame(plugins[1]?.options, { port: 1, hosts: ['c'], deep: { x: 1, y: 3 } });
  t.strictSame(security.origins, ['https://b.example']);
  t.match(log, { level: 'warn', files: 8 });
  t.strictSame(
    files,
    ['base.json', 'platen.json', 'conf.d/10-first.json', 'conf.d/90-last.json'].map(each => join(folder, each)),
  );
  const from = (...path: (string | number)[]): unknown => sourceOf(path, true);
  t.strictSame(from('log', 'level'), { file: join(folder, 'base.json'), line: 28 });
  t.strictSame(from('log', 'files'), { file: join(folder, 'platen.json'), line: 20 });
  t.strictSame(from('plugins', 1, 'enabled'), { file: join(folder, 'conf.d/90-last.json'), line: 5 });
  t.strictSame(from('plugins', 1, 'options', 'port'), { file: join(folder, 'base.json'), line: 10 });
  t.equal(from('plugins', 2, 'enabled'), undefined, 'a default has no source');
  t.strictSame(sourceOf(['plugins', 2, 'enabled']), { file: join(folder, 'platen.json'), line: 4 });
});

t.test('readConfig: the path of a plugin starts at the folder of the file that has it', async t => {
  const folder = await folderOf(t, {
    'platen.json': { plugins: [{ use: './acme' }, { use: '/opt/tool' }] },
    'conf.d/10.json': {
      plugins: [{ use: '../acme', enabled: false }, { use: './own' }, { use: '/opt/tool', required: true }],
    },
  });
  const { plugins } = await readConfig(join(folder, 'platen.json'));
  t.match(plugins, [
    { use: './acme', enabled: false },
    { use: '/opt/tool', required: true },
    { use: join(folder, 'conf.d', 'own') },
  ]);
  t.equal(plugins.length, 3);
});

t.test('readConfig: a complete file that lists a plugin twice is as it was', async t => {
  const folder = await folderOf(t, { 'platen.json': { plugins: [{ use: 'a' }, { use: 'a', enabled: false }] } });
  t.match((await readConfig(join(folder, 'platen.json'))).plugins, [{ enabled: true }, { enabled: false }]);
});

t.test('readConfig: each file is as strict as a whole configuration, and the fault has its file and line', async t => {
  const cases: readonly (readonly [name: string, text: string, problem: object])[] = [
    [
      'conf.d/10.json',
      '{\n  "log": {\n    "levle": "warn"\n  }\n}',
      { code: 'unknown-key', path: 'log.levle', line: 3 },
    ],
    [
      'conf.d/10.json',
      '{\n\n  "listen": { "port": "53052" } }',
      { code: 'invalid-value', path: 'listen.port', line: 3 },
    ],
    ['conf.d/10.json', '{ "plugins": [\n { "enabled": false } ] }', { code: 'missing-key', line: 2 }],
    ['conf.d/10.json', '[]', { code: 'invalid-value', path: '' }],
    ['base.json', '{\n "scan": 5 }', { path: 'scan', line: 2 }],
  ];
  for (const [name, text, problem] of cases) {
    const folder = await folderOf(t, {
      'base.json': {},
      'platen.json': { extends: './base.json' },
      'conf.d/90.json': { plugins: [{ use: 'z' }] },
      [name]: text,
    });
    const { problems, message } = await refusal(readConfig(join(folder, 'platen.json')));
    t.match(problems, [{ ...problem, file: join(folder, name) }], text);
    t.match(message, join(folder, name));
  }
});

t.test('readConfig: a wrong value counts although a later file has a right one', async t => {
  const folder = await folderOf(t, {
    'platen.json': {},
    'conf.d/10.json': { listen: { port: 'x' } },
    'conf.d/20.json': { listen: { port: 5 } },
  });
  const { problems } = await refusal(readConfig(join(folder, 'platen.json')));
  t.match(problems, [{ path: 'listen.port', file: join(folder, 'conf.d', '10.json'), line: 3 }]);
});

t.test('readConfig: files that extend each other, and files of conf.d that extend', async t => {
  const round = await folderOf(t, {
    'a.json': { extends: 'b.json' },
    'b.json': { extends: './a.json' },
    'self.json': { extends: 'self.json' },
    'gone.json': { extends: 'nowhere.json' },
    'platen.json': {},
    'conf.d/10.json': { extends: 'shipped' },
  });
  for (const name of ['a.json', 'self.json', 'gone.json', 'platen.json'])
    t.match((await refusal(readConfig(join(round, name)))).code, 'configuration', name);
});

t.test('readConfig: an invalid file of conf.d, equal keys in it, and one that others may write', async t => {
  for (const [text, word] of [
    ['{', /not valid JSON.* line 1/],
    ['{ "log": {},\n "log": {} }', /"log" twice.* line 1 .* line 2/],
  ] as const) {
    const folder = await folderOf(t, { 'platen.json': {}, 'conf.d/10.json': text });
    const { message } = await refusal(readConfig(join(folder, 'platen.json')));
    t.match(message, word);
    t.match(message, join(folder, 'conf.d', '10.json'));
  }
  if (process.platform === 'win32') return;
  const folder = await folderOf(t, { 'platen.json': {}, 'conf.d/10.json': {} });
  await chmod(join(folder, 'conf.d/10.json'), 0o666);
  t.match((await refusal(readConfig(join(folder, 'platen.json')))).message, /10\.json was rejected/);
  await chmod(join(folder, 'conf.d/10.json'), 0o644);
  await chmod(join(folder, 'conf.d'), 0o777);
  t.match((await refusal(readConfig(join(folder, 'platen.json')))).message, /conf\.d is writable by other accounts/);
  await rm(join(folder, 'conf.d'), { recursive: true });
  await symlink('/nowhere', join(folder, 'conf.d'));
  t.ok(await readConfig(join(folder, 'platen.json')), 'a link to nowhere is an absent folder');
});

t.test("readConfig: the installation's own file has its conf.d in the data folder", async t => {
  const dataDir = await folderOf(t, { 'conf.d/10.json': { plugins: [{ use: '@platen/ocr', enabled: false }] } });
  const off = (await readConfig(platenJson, dataDir)).plugins.filter(({ enabled }) => !enabled);
  t.match(off, [{ use: '@platen/ocr' }]);
  t.strictSame(off.length, 1);
  t.strictSame((await readConfig(platenJson)).plugins, shipped.plugins);
});
