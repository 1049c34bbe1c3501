/** Keys that a company fixes: a file of root, Windows' registry, a profile of macOS; and the templates for them. */
import { chmod, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import t, { type Test } from 'tap';
import { policyText } from './policy.js';
import type { FixedPlace } from '../../machine/config/fixed.js';
import { admx, policyFiles } from '../../machine/config/policyFiles.js';
import { readConfig } from '../../machine/config/read.js';

const nothing: FixedPlace = {
  platform: 'linux',
  file: '/nowhere/policy.json',
  tools: { run: async () => undefined },
  env: {},
};

async function folderOf(t: Test, files: Readonly<Record<string, object>>): Promise<string> {
  const folder = t.testdir(
    Object.fromEntries(Object.entries(files).map(([name, value]) => [name, JSON.stringify(value, null, 1)])),
  );
  for (const name of Object.keys(files)) await chmod(join(folder, name), 0o600);
  return folder;
}

const own = { plugins: [{ use: '@platen/ocr' }, { use: 'x' }], security: { origins: 'open' }, log: { level: 'debug' } };
const fixed = {
  plugins: [{ use: '@platen/ocr', enabled: false }],
  security: { origins: 'ask' },
  scans: { keep: false, keepBytes: 99_999_999_999, keepHours: 1.5 },
};

t.test('policy: a file of root counts after everything, and its values are fixed', async t => {
  const folder = await folderOf(t, { 'platen.json': own, 'policy.json': fixed });
  const place = { ...nothing, file: join(folder, 'policy.json') };
  const read = await readConfig(join(folder, 'platen.json'), undefined, place);
  t.match(read, { security: { origins: 'ask' }, scans: fixed.scans, log: { level: 'debug' } });
  t.match(read.plugins, [
    { use: '@platen/ocr', enabled: false },
    { use: 'x', enabled: true },
  ]);
  t.match(read.sourceOf(['security', 'origins']), { file: place.file, line: 9, isFixed: true });
  t.equal(read.sourceOf(['log', 'level'])?.isFixed, undefined);
  t.match((await readConfig(join(folder, 'platen.json'), undefined, nothing)).security, { origins: 'open' });
  await writeFile(place.file, '{ "secruity": {} }');
  await t.rejects(readConfig(join(folder, 'platen.json'), undefined, place), {
    name: 'ConfigError',
    problems: [{ path: 'secruity', file: place.file }],
  });
});

t.test("policy: Windows' registry, as reg prints what it has imported", async t => {
  const folder = await folderOf(t, { 'platen.json': own, 'fixed.json': { ...fixed, log: { files: 7 } } });
  const text = await policyText(join(folder, 'fixed.json'), 'registry');
  t.match(text, '[HKEY_LOCAL_MACHINE\\SOFTWARE\\Policies\\Platen\\scans]\r\n"keep"=dword:00000000\r\n');
  const said = text
    .replace(/^\[(.*)\]\r$/gm, '$1')
    .replace(/^"(.*)"=dword:([0-9a-f]+)\r$/gm, (_, name, hex) => `    ${name}    REG_DWORD    0x${hex}`)
    .replace(/^"(.*)"="(.*)"\r$/gm, '    $1    REG_SZ    $2');
  const asked: unknown[] = [];
  const run = async (program: string, args: readonly string[]) => (asked.push([program, ...args]), { code: 0, said });
  const place: FixedPlace = { ...nothing, platform: 'win32', env: { SystemRoot: 'C:\\Windows' }, tools: { run } };
  const read = await readConfig(join(folder, 'platen.json'), undefined, place);
  t.match(read, { security: { origins: 'ask' }, scans: fixed.scans, log: { files: 7, level: 'debug' } });
  t.match(read.plugins, [{ enabled: false }, { enabled: true }]);
  t.match(read.sourceOf(['scans', 'keep']), { file: 'HKEY_LOCAL_MACHINE\\SOFTWARE\\Policies\\Platen', isFixed: true });
  t.strictSame(read.files, [join(folder, 'platen.json')]);
  t.strictSame(asked, [
    ['C:\\Windows\\System32\\reg.exe', 'query', 'HKEY_LOCAL_MACHINE\\SOFTWARE\\Policies\\Platen', '/s'],
  ]);
  const none = { ...place, tools: { run: async () => ({ code: 1, said: 'ERROR' }) } };
  t.match((await readConfig(join(folder, 'platen.json'), undefined, none)).security, { origins: 'open' });
});

t.test('policy: lists of the registry, and what it cannot have', async t => {
  const folder = await folderOf(t, {
    'list.json': { security: { origins: ['https://a.example', 'https://b.example'] } },
    'options.json': { plugins: [{ use: 'x', options: {} }] },
    'profiles.json': { profiles: { a: { resolution: 300 } } },
    'extends.json': { extends: 'shipped' },
    'typo.json': { lgo: {} },
    'platen.json': own,
  });
  const text = await policyText(join(folder, 'list.json'), 'registry');
  t.match(text, /\\security\\origins\]\r\n"1"="https:\/\/a\.example"\r\n"2"=/);
  const said = text.replace(/^\[(.*)\]\r$/gm, '$1').replace(/^"(.*)"="(.*)"\r$/gm, '    $1    REG_SZ    $2');
  const place: FixedPlace = { ...nothing, platform: 'win32', tools: { run: async () => ({ code: 0, said }) } };
  const read = await readConfig(join(folder, 'platen.json'), undefined, place);
  t.strictSame(read.security.origins, ['https://a.example', 'https://b.example']);
  for (const name of ['options', 'profiles', 'extends', 'typo'])
    await t.rejects(policyText(join(folder, `${name}.json`), 'registry'), { name: 'ConfigError' }, name);
});

t.test('policy: a profile of macOS', async t => {
  const folder = await folderOf(t, { 'platen.json': own, 'fixed.json': fixed });
  const text = await policyText(join(folder, 'fixed.json'), 'profile');
  t.match(text, /<key>PayloadType<\/key>\s+<string>org\.platen<\/string>/);
  t.match(text, /<key>keepHours<\/key>\s+<real>1\.5<\/real>/);
  const file = join(folder, 'managed.plist');
  await writeFile(file, text);
  const managed = (code: number, said: string): FixedPlace => ({
    ...nothing,
    platform: 'darwin',
    file,
    tools: { run: async () => ({ code, said }) },
  });
  const place = managed(0, JSON.stringify(fixed));
  t.match(await readConfig(join(folder, 'platen.json'), undefined, place), { security: { origins: 'ask' } });
  for (const [code, said] of [
    [1, 'not a plist'],
    [0, '{'],
  ] as const)
    await t.rejects(readConfig(join(folder, 'platen.json'), undefined, managed(code, said)), { code: 'configuration' });
});

t.test('policy: the templates are what the schema makes, and well-formed', async t => {
  for (const { file, text } of policyFiles) {
    t.equal(await readFile(file, 'utf8'), text, `${file}: node server/dist/machine/config/policyFiles.js writes it`);
    const open: string[] = [];
    for (const [, end, name = '', empty] of text.matchAll(/<(\/?)([\w:]+)(?:\s[^<>]*?)?(\/?)>/g))
      if (end) t.equal(open.pop(), name);
      else if (!empty) open.push(name);
    t.strictSame(open, []);
    t.notMatch(text.replaceAll(/&(?:amp|lt|gt|quot);/g, ''), /&/);
  }
  const [, adml] = policyFiles.map(({ text }) => text);
  for (const [, table, id] of admx.matchAll(/\$\((string|presentation)\.(\w+)\)/g))
    t.match(adml, `<${table} id="${id}"`);
});
