import { chmod, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import t from 'tap';
import { ConfigError } from './error.js';
import { readConfig } from './read.js';

const dir = await mkdtemp(join(tmpdir(), 'platen-config-'));
t.teardown(() => rm(dir, { recursive: true, force: true }));
const file = join(dir, 'platen.json');

async function write(value: unknown): Promise<string> {
  await writeFile(file, typeof value === 'string' ? value : JSON.stringify(value));
  await chmod(file, 0o600);
  return file;
}

async function refusal(value: unknown): Promise<string> {
  try {
    await readConfig(await write(value));
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error;
    t.equal(error.code, 'configuration');
    return error.message;
  }
  throw new Error(`was taken: ${JSON.stringify(value)}`);
}

t.test('what is no JSON is refused with line and column', async t => {
  t.equal(await refusal('{\n  "listen": }\n'),
    `The configuration ${file} is not valid JSON: the text is not JSON at line 2, column 13 (character 14).`);
  t.match(await refusal(''), /ends too early at line 1, column 1/);
});

t.test('an unknown key is refused with the file, its path and what is taken', async t => {
  t.equal(await refusal({ scan: { inactivtySeconds: 3 } }),
    `The configuration ${file}: scan.inactivtySeconds is not a key that it knows, did you mean inactivitySeconds? ` +
    'scan takes inactivitySeconds, graceSeconds, deadlineGraceSeconds.');
  t.match(await refusal({ plugins: [{ use: 'a' }, { use: 'b', optoins: {} }] }), /plugins\[1\]\.optoins .* did you mean options\?/);
  t.match(await refusal({ wibble: 1 }), /wibble is not a key that it knows; the file takes listen, plugins, scan/);
});

t.test('a bad value is refused with what is taken, and nothing is coerced', async t => {
  const cases: [unknown, string][] = [
    [{ listen: { port: '53052' } }, 'listen.port takes an integer from 0 to 65535, not "53052"'],
    [{ listen: { port: 65536 } }, 'listen.port takes an integer from 0 to 65535, not 65536'],
    [{ listen: { port: 1.5 } }, 'listen.port takes an integer from 0 to 65535, not 1.5'],
    [{ scan: { inactivitySeconds: 0 } }, 'scan.inactivitySeconds takes a number greater than 0, up to 86400, not 0'],
    [{ log: { level: 'loud' } }, 'log.level takes one of silent, error, warn, info, debug, trace, not "loud"'],
    [{ plugins: [{}] }, 'plugins[0].use is missing; it takes the name of a package, such as "@platen/format-png"'],
    [{ plugins: [{ use: 'a', enabled: 'no' }] }, 'plugins[0].enabled takes true or false, not "no"'],
    [{ plugins: [{ use: 'a', on: ['windows'] }] }, 'plugins[0].on[0] takes one of win32, darwin, linux'],
    [{ plugins: {} }, 'plugins takes a list, not an object'],
    [{ security: { allowedOrigins: 'https://a' } }, 'security.allowedOrigins takes "*" or a list of origins'],
    [{ security: { allowedOrigins: ['*'] } }, 'security.allowedOrigins takes "*" or a list of origins'],
    [{ security: { allowedOrigins: ['https://a/path'] } }, 'security.allowedOrigins takes "*" or a list of origins'],
    [{ security: { allowedOrigins: ['null'] } }, 'security.allowedOrigins takes "*" or a list of origins'],
    [{ security: { allowedHosts: [] } }, 'security.allowedHosts takes a list that is not empty, not an empty list'],
    [{ security: { allowedHosts: ['localhost:53052'] } }, 'security.allowedHosts[0] takes a host name or address'],
    [[], 'the whole takes an object, not an empty list'],
    ['null', 'the whole takes an object, not null'],
  ];
  for (const [value, sentence] of cases) {
    const message = await refusal(value);
    t.ok(message.startsWith(`The configuration ${file}: ${sentence}`), message);
    t.notMatch(message, /\n/, 'one sentence for one mistake');
  }
});

t.test('every mistake is named', async t => {
  t.equal((await refusal({ listen: { port: -1 }, log: { level: 1 } })).split('\n').length, 2);
});

t.test('a missing file and a folder', async t => {
  const missing = join(dir, 'none.json');
  await t.rejects(readConfig(missing), { message: `There is no configuration file ${missing}.` });
  await t.rejects(readConfig(dir), { message: `The configuration ${dir} cannot be read: it is a folder.` });
});

t.test('a file that others may write to is refused', { skip: process.platform === 'win32' && 'no modes here' }, async t => {
  await write({});
  await chmod(file, 0o602);
  await t.rejects(readConfig(file), { name: 'ConfigError', message: /can be written to by other accounts.*chmod go-w/ });
  await chmod(file, 0o664);
  t.equal((await readConfig(file)).file, file, 'the group of the process itself may write');
});

t.test('defaults are filled in', async t => {
  t.same(await readConfig(await write({ plugins: [{ use: 'x' }] })), {
    file,
    listen: { port: 53052 },
    plugins: [{ use: 'x', enabled: true, required: false, isolate: false }],
    scan: { inactivitySeconds: 300, graceSeconds: 10, deadlineGraceSeconds: 2 },
    source: { idleMinutes: 30 },
    autoscan: { idleSeconds: 300, maxFailures: 3, outboxPages: 20, resendBytes: 67108864, keptHours: 24 },
    clients: { stallSeconds: 30, maxStreams: 100, maxUnread: 8 },
    memory: { rawBytes: 268435456, encodedBytes: 67108864, maxPixels: 150000000 },
    security: { allowedOrigins: '*', allowedHosts: ['localhost', '127.0.0.1', '[::1]'] },
    log: { level: 'info' },
  });
});

t.test('the configurations that are shipped are good', async t => {
  for (const name of ['try', 'platen']) {
    const shipped = fileURLToPath(new URL(`../../config/${name}.json`, import.meta.url));
    const copy = join(dir, `${name}.json`);
    // A checkout's modes are its owner's affair.
    await writeFile(copy, await readFile(shipped), { mode: 0o600 });
    t.ok((await readConfig(copy)).plugins.length > 0, name);
  }
});
