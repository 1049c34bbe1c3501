/** The desktop application's configuration: its own schema, the same sentences. */
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import t from 'tap';
import { readHostConfig } from './read.js';

const dir = await mkdtemp(join(tmpdir(), 'platen-host-config-'));
t.teardown(() => rm(dir, { recursive: true, force: true }));
const file = join(dir, 'host.json');

async function write(value: unknown): Promise<string> {
  await writeFile(file, JSON.stringify(value), { mode: 0o600 });
  return file;
}

t.test('readHostConfig: fills in defaults', async t => {
  const defaults = {
    file,
    files: [file],
    channel: 'platen',
    transferMode: 'Native',
    plugins: [],
    log: { level: 'info' },
  };
  const read = async (value: unknown): Promise<object> => {
    const { sourceOf: _, ...rest } = await readHostConfig(await write(value));
    return rest;
  };
  t.same(await read({}), defaults);
  t.same(await read({ plugins: [{ use: 'x' }] }), {
    ...defaults,
    plugins: [{ use: 'x', enabled: true, required: false, isolate: false }],
  });
});

t.test('readHostConfig: an invalid value, rejected with the file, the path and the accepted values', async t => {
  const keys = ['extends', 'channel', 'transferMode', 'plugins', 'log'];
  const cases: [unknown, object][] = [
    [{ chanel: 'a' }, { code: 'unknown-key', path: 'chanel', suggestion: 'channel', allowed: keys }],
    [{ listen: { port: 1 } }, { code: 'unknown-key', path: 'listen', allowed: keys }],
    [{ channel: 'A desk' }, { code: 'invalid-value', path: 'channel', found: 'A desk' }],
    [
      { transferMode: 'Memory' },
      { code: 'invalid-value', path: 'transferMode', allowed: ['Auto', 'Native', 'Buffered'] },
    ],
    [{ plugins: [{}] }, { code: 'missing-key', path: 'plugins[0].use' }],
    [
      { plugins: [{ use: 'a', isolate: 1 }] },
      { code: 'invalid-value', path: 'plugins[0].isolate', allowed: [true, false] },
    ],
  ];
  for (const [value, problem] of cases) {
    const message = new RegExp(`^The configuration ${escaped(file)}, line 1: [^\n]*$`);
    await t.rejects(readHostConfig(await write(value)), { code: 'configuration', problems: [problem], message });
  }
  await t.rejects(readHostConfig(join(dir, 'none.json')), { message: /^The configuration file/ });
});

t.test('readHostConfig: the shipped configuration has drivers only', async t => {
  const shipped = await readFile(fileURLToPath(new URL('../../../config/host.json', import.meta.url)));
  await writeFile(file, shipped, { mode: 0o600 });
  const { plugins, channel, transferMode } = await readHostConfig(file);
  t.same([channel, transferMode], ['platen', 'Native']);
  t.ok(plugins.length > 0);
  t.same(
    plugins.filter(({ use }) => !use.startsWith('@platen/driver-') || /virtual|desktop/.test(use)),
    [],
  );
});

const escaped = (text: string): string => text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');
