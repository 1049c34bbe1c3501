import { chmod, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import t from 'tap';
import { ConfigError } from '../configError.js';
import { readConfig } from './read.js';

const dir = await mkdtemp(join(tmpdir(), 'platen-config-'));
t.teardown(() => rm(dir, { recursive: true, force: true }));
const file = join(dir, 'platen.json');

async function write(value: unknown): Promise<string> {
  await writeFile(file, typeof value === 'string' ? value : JSON.stringify(value));
  await chmod(file, 0o600);
  return file;
}

async function refused(value: unknown): Promise<ConfigError> {
  try {
    await readConfig(await write(value));
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error;
    t.equal(error.code, 'configuration');
    return error;
  }
  throw new Error(`was taken: ${JSON.stringify(value)}`);
}

const refusal = async (value: unknown): Promise<string> => (await refused(value)).message;

t.test('readConfig: invalid JSON, rejected with line and column', async t => {
  t.equal(
    await refusal('{\n  "listen": }\n'),
    `The configuration ${file} is not valid JSON: the text is not JSON at line 2, column 13 (character 14).`,
  );
  t.match(await refusal(''), /ends too early at line 1, column 1/);
});

t.test('readConfig: an unknown key, rejected with the file, the path and the known keys', async t => {
  const { message, problems } = await refused({ scan: { inactivtySeconds: 3 } });
  t.match(problems, [
    {
      code: 'unknown-key',
      path: 'scan.inactivtySeconds',
      suggestion: 'inactivitySeconds',
      allowed: ['inactivitySeconds', 'graceSeconds', 'deadlineGraceSeconds'],
    },
  ]);
  t.ok(message.startsWith(`The configuration ${file}, line 1: `), message);
  t.match((await refused({ plugins: [{ use: 'a' }, { use: 'b', optoins: {} }] })).problems, [
    { path: 'plugins[1].optoins', suggestion: 'options' },
  ]);
  const [unknown] = (await refused({ wibble: 1 })).problems;
  t.match(unknown, { code: 'unknown-key', path: 'wibble' });
  t.notMatch(unknown?.allowed, ['$schema'], 'what is for editors is not offered');
});

t.test('readConfig: an invalid value, rejected with the accepted values, without coercion', async t => {
  const cases: [unknown, string, unknown][] = [
    [{ listen: { port: '53052' } }, 'listen.port', '53052'],
    [{ listen: { port: 65536 } }, 'listen.port', 65536],
    [{ listen: { port: 1.5 } }, 'listen.port', 1.5],
    [{ scan: { inactivitySeconds: 0 } }, 'scan.inactivitySeconds', 0],
    [{ log: { level: 'loud' } }, 'log.level', 'loud'],
    [{ plugins: [{ use: 'a', enabled: 'no' }] }, 'plugins[0].enabled', 'no'],
    [{ plugins: [{ use: 'a', on: ['windows'] }] }, 'plugins[0].on[0]', 'windows'],
    [{ plugins: {} }, 'plugins', {}],
    [{ security: { origins: 'https://a' } }, 'security.origins', 'https://a'],
    [{ security: { origins: ['*'] } }, 'security.origins[0]', '*'],
    [{ security: { origins: ['https://a/path'] } }, 'security.origins[0]', 'https://a/path'],
    [{ security: { origins: ['null'] } }, 'security.origins[0]', 'null'],
    [{ security: { origins: ['https://a', 'https://b/'] } }, 'security.origins[1]', 'https://b/'],
    [{ security: { allowedHosts: [] } }, 'security.allowedHosts', []],
    [{ security: { allowedHosts: ['localhost:53052'] } }, 'security.allowedHosts[0]', 'localhost:53052'],
    [[], '', []],
    ['null', '', null],
  ];
  for (const [value, path, found] of cases) {
    const { message, problems } = await refused(value);
    t.same(
      problems.map(each => [each.code, each.path, each.found]),
      [['invalid-value', path, found]],
      message,
    );
    t.ok(
      message.startsWith(`The configuration ${file}${path === '' ? ': the file' : `, line 1: ${path}`} takes `),
      message,
    );
    t.notMatch(message, /\n/, 'one sentence for one mistake');
  }
  const { problems } = await refused({ plugins: [{}] });
  t.match(problems, [
    { code: 'missing-key', path: 'plugins[0].use', accepts: 'the name of a package, such as "@platen/format-png"' },
  ]);
});

t.test('readConfig: reports every error', async t => {
  t.equal((await refusal({ listen: { port: -1 }, log: { level: 1 } })).split('\n').length, 2);
});

t.test('readConfig: a missing file, and a folder', async t => {
  const missing = join(dir, 'none.json');
  await t.rejects(readConfig(missing), { message: `The configuration file ${missing} does not exist.` });
  await t.rejects(readConfig(dir), { message: `The configuration ${dir} cannot be read: it is a folder.` });
});

t.test(
  'readConfig: rejects a file that others may write',
  { skip: process.platform === 'win32' && 'no modes here' },
  async t => {
    await write({});
    await chmod(file, 0o602);
    await t.rejects(readConfig(file), {
      name: 'ConfigError',
      message: /is writable by other accounts.*chmod go-w/,
    });
    await chmod(file, 0o664);
    t.equal((await readConfig(file)).file, file, 'the group of the process itself may write');
  },
);

t.test('readConfig: fills in defaults', async t => {
  const { sourceOf: _, ...read } = await readConfig(await write({ plugins: [{ use: 'x' }] }));
  t.same(read, {
    file,
    files: [file],
    listen: { port: 53052 },
    plugins: [{ use: 'x', enabled: true, required: false, isolate: false }],
    scan: { inactivitySeconds: 300, graceSeconds: 10, deadlineGraceSeconds: 2 },
    source: { idleMinutes: 30 },
    autoscan: { idleSeconds: 300, maxFailures: 3, outboxPages: 20, resendBytes: 67108864, keptHours: 24 },
    scans: { keep: true, keepHours: 24, keepBytes: 4294967296 },
    profiles: {},
    clients: { stallSeconds: 30, maxStreams: 100, maxDocuments: 16, maxUnread: 8 },
    memory: { rawBytes: 268435456, encodedBytes: 67108864, maxPixels: 150000000 },
    security: { origins: 'open', localPrograms: 'any', allowedHosts: ['localhost', '127.0.0.1', '[::1]'] },
    events: { origins: false },
    metrics: { enabled: false, origins: false },
    log: { level: 'info', file: true, fileBytes: 2097152, files: 5 },
  });
});

t.test('readConfig: accepts the shipped configurations', async t => {
  for (const name of ['try', 'platen']) {
    const shipped = fileURLToPath(new URL(`../../../config/${name}.json`, import.meta.url));
    const copy = join(dir, `${name}.json`);
    // The modes of a checkout do not matter here.
    await writeFile(copy, await readFile(shipped), { mode: 0o600 });
    t.ok((await readConfig(copy)).plugins.length > 0, name);
  }
});
