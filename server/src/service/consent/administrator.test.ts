/** The administrator's file: read at the start and again, damaged at either time, and writable by others. */
import { chmodSync, mkdtempSync, realpathSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import t, { type Test } from 'tap';
import { administratorsFile, openAdministratorsGrants, readAdministratorsGrants } from './administrator.js';

const A = 'https://a.example';
const text = (...origins: readonly string[]) =>
  JSON.stringify({ grants: origins.map(origin => ({ origin, may: ['scan'] })) });

/** A folder that only this account may write. */
function fileFor(t: Test): string {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'platen-administrator-')));
  t.teardown(() => rmSync(folder, { recursive: true, force: true }));
  return administratorsFile(join(folder, 'platen.json'));
}

const isWindows = process.platform === 'win32';

t.test('no file, no grants', async t => {
  t.equal((await readAdministratorsGrants(fileFor(t), t.fail)).size, 0);
});

t.test('a file, its grants', async t => {
  const file = fileFor(t);
  writeFileSync(file, text('https://A.example', 'https://b.example'), { mode: 0o644 });
  t.same([...(await readAdministratorsGrants(file, () => undefined)).keys()], [A, 'https://b.example']);
});

t.test('damaged: each is named', async t => {
  const file = fileFor(t);
  for (const damaged of [
    '',
    '{',
    'null',
    '[]',
    '{"grants":{}}',
    '{"grants":[5]}',
    '{"grants":[], "grants":[]}',
    `{"grants":[{"origin":"${A}","may":["scan"],"may":[]}]}`,
    text('null'),
    text('https://a.example/path'),
    text(A, 'https://a.example:443'),
    '{"grants":[{"origin":"https://a.example","may":["all"]}]}',
  ]) {
    writeFileSync(file, damaged);
    await t.rejects(
      readAdministratorsGrants(file, () => undefined),
      { name: 'ConfigError' },
      damaged,
    );
  }
});

t.test('writable by others: not used', { skip: isWindows }, async t => {
  const file = fileFor(t);
  writeFileSync(file, text(A));
  chmodSync(file, 0o666);
  await t.rejects(
    readAdministratorsGrants(file, () => undefined),
    { name: 'ConfigError', message: /writable/ },
  );
});

t.test('read again after a change; the grants stay while the file is damaged, and go with it', async t => {
  const file = fileFor(t);
  writeFileSync(file, text(A));
  const said: string[] = [];
  const say = (sentence: string) => void said.push(sentence);
  const administrators = await openAdministratorsGrants(join(file, '..', 'platen.json'), {
    info: say,
    warn: say,
    error: say,
  });
  t.teardown(() => administrators.close());
  const replace = async (content: string | undefined): Promise<void> => {
    const before = said.length;
    if (content === undefined) rmSync(file);
    else {
      writeFileSync(`${file}.new`, content);
      renameSync(`${file}.new`, file);
    }
    while (said.length === before) await new Promise(resolve => setTimeout(resolve, 50));
  };
  await replace(text(A, 'https://b.example'));
  t.equal(administrators.read().size, 2);
  await replace('{');
  t.equal(administrators.read().size, 2);
  if (!isWindows) {
    writeFileSync(`${file}.open`, text('https://evil.example'), { mode: 0o600 });
    chmodSync(`${file}.open`, 0o666);
    const before = said.length;
    renameSync(`${file}.open`, file);
    while (said.length === before) await new Promise(resolve => setTimeout(resolve, 50));
    t.equal(administrators.read().has('https://evil.example'), false);
  }
  await replace(undefined);
  t.equal(administrators.read().size, 0);
});
