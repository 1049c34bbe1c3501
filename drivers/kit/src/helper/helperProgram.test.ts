/** helperProgram: the prebuilt program with the published hash, else the own build, else nothing to start. */
import { createHash } from 'node:crypto';
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import t, { type Test } from 'tap';
import { faultyHelper, failureOf, longDeadline, testHelper } from './helper.test.kit.js';
import { helperProgram } from './helperProgram.js';

const content = '#!/bin/sh\nexit 3\n';
const sha256 = createHash('sha256').update(content).digest('hex');
const entry = { package: '@acme/driver-linux-x64', sha256: { 'acme-helper': sha256, 'acme-helper.exe': sha256 } };

interface Room {
  /** Of the driver's package. */
  readonly url: URL;
  readonly prebuilt: string;
  readonly built: string;
  /** Writes one of them. */
  put(file: string, text?: string): void;
}

/** An installation: the driver's package beside its prebuilt one. */
function installation(t: Test, prebuilt: object | undefined): Room {
  const modules = join(t.testdir({}), 'node_modules', '@acme');
  const own = join(modules, 'driver');
  const put = (file: string, text = content): void => {
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, text, { mode: 0o755 });
  };
  put(join(own, 'package.json'), JSON.stringify({ name: '@acme/driver', platen: { prebuilt } }));
  put(join(modules, 'driver-linux-x64', 'package.json'), '{ "name": "@acme/driver-linux-x64", "version": "1.0.0" }');
  return {
    url: pathToFileURL(`${own}/`),
    prebuilt: join(modules, 'driver-linux-x64', 'bin', 'acme-helper'),
    built: join(own, 'native', 'build', 'Release', 'acme-helper'),
    put,
  };
}

t.test('helperProgram: the published hash, the prebuilt program even beside an own build', async t => {
  const { url, prebuilt, built, put } = installation(t, { 'linux-x64': entry });
  put(prebuilt);
  put(built);
  t.same(helperProgram(url, 'acme-helper', 'linux-x64'), { command: prebuilt });
});

t.test('helperProgram: an entry without a package, the program in the own package, with the same check', async t => {
  const { url, built, put } = installation(t, { 'linux-x64': { sha256: entry.sha256 } });
  put(built);
  t.same(helperProgram(url, 'acme-helper', 'linux-x64'), { command: built }, 'it is not there');
  const command = fileURLToPath(new URL('prebuilt/linux-x64/bin/acme-helper', url));
  put(command);
  t.same(helperProgram(url, 'acme-helper', 'linux-x64'), { command });
  const changed = installation(t, { 'linux-x64': { sha256: { 'acme-helper': sha256.replaceAll(/./g, '0') } } });
  put(fileURLToPath(new URL('prebuilt/linux-x64/bin/acme-helper', changed.url)));
  t.match(helperProgram(changed.url, 'acme-helper', 'linux-x64').refused, /SHA-256.*Remove .*prebuilt.linux-x64/);
});

t.test('helperProgram: on Windows, the file has its ending', async t => {
  const { url, prebuilt, put } = installation(t, { 'win32-x64': entry });
  put(`${prebuilt}.exe`);
  t.same(helperProgram(url, 'acme-helper', 'win32-x64'), { command: `${prebuilt}.exe` });
});

t.test('helperProgram: another content, refused with file and fix, and nothing replaces it', async t => {
  const { url, prebuilt, built, put } = installation(t, { 'linux-x64': entry });
  put(prebuilt, `${content}\n`);
  put(built);
  const { command, refused = '' } = helperProgram(url, 'acme-helper', 'linux-x64');
  t.equal(command, prebuilt);
  for (const part of [prebuilt, 'SHA-256', `Remove ${dirname(dirname(prebuilt))}`, '@acme/driver'])
    t.ok(refused.includes(part), part);
});

t.test('helperProgram: not installed, no such program, no entry: the own build', async t => {
  for (const [title, facts, prepare] of [
    ['the package is missing', entry, ({ prebuilt }: Room) => rmSync(dirname(dirname(prebuilt)), { recursive: true })],
    ['its program is missing', entry, () => undefined],
    ['its program has no hash', { ...entry, sha256: {} }, ({ prebuilt, put }: Room) => put(prebuilt)],
    ['no entry for this platform', undefined, ({ prebuilt, put }: Room) => put(prebuilt)],
  ] as const) {
    const room = installation(t, facts && { 'linux-x64': facts, 'linux-arm64': entry });
    prepare(room);
    t.same(helperProgram(room.url, 'acme-helper', 'linux-x64'), { command: room.built }, title);
  }
});

t.test('helperProgram: a clone, whose package.json names no prebuilt packages, the own build', async t => {
  const { url, prebuilt, built, put } = installation(t, undefined);
  put(prebuilt);
  t.same(helperProgram(url, 'acme-helper'), { command: built });
});

t.test('helperProgram: a program that is changed later, judged as at the first look', async t => {
  const { url, prebuilt, put } = installation(t, { 'linux-x64': entry });
  put(prebuilt);
  const before = helperProgram(url, 'acme-helper', 'linux-x64');
  put(prebuilt, 'changed');
  t.same(helperProgram(url, 'acme-helper', 'linux-x64'), before);
});

t.test('helper: refused, not started, and its sentence comes without the repair', async t => {
  const folder = t.testdir({});
  const marker = join(folder, 'started');
  const program = join(folder, 'program');
  writeFileSync(program, `#!/bin/sh\ntouch ${marker}\n`, { mode: 0o755 });
  const helper = testHelper(t, {
    command: program,
    refused: 'was not started: a reason. Remove it',
    repair: 'Build it',
  });
  for (let call = 0; call < 2; call++) {
    t.equal(
      await failureOf(helper.call('say', {}, longDeadline)),
      'driver-failed: the helper "fixture" was not started: a reason. Remove it',
    );
  }
  t.throws(() => rmSync(marker), { code: 'ENOENT' });
  await helper.close();
});

t.test('helper: a failure says whether its message has the fix', async t => {
  const fix = 'Build it';
  for (const [helper, isExplained] of [
    [testHelper(t, { command: '/no/such/program', repair: fix }), true],
    [faultyHelper(t, 'exitAtStart', { repair: fix }), false],
  ] as const) {
    const failure: unknown = await helper.call('say', {}, longDeadline).catch((error: unknown) => error);
    t.match(failure, { isMissing: true, isExplained });
  }
});
