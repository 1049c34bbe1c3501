import { mkdir, mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import t, { type Test } from 'tap';
import { fakeDriver } from '@platen/conformance';
import { systemClock } from '@platen/core';
import { newSecret } from '../service/consent/questions.js';
import { testService } from '../service/service.test.kit.js';
import { exitCodeOf } from '../machine/exitCodes.js';
import type { Io } from '../machine/io.js';
import { origins } from './origins.js';

const A = 'https://a.example';

interface Said {
  readonly code: number;
  readonly out: string;
  readonly err: string;
}

/** @param security of the configuration @param given a service's data folder */
async function place(t: Test, security: object = { origins: 'ask' }, given?: string) {
  const root = await mkdtemp(join(tmpdir(), 'platen-origins-cli-'));
  t.teardown(() => rm(root, { recursive: true, force: true }));
  const dataDir = given ?? join(root, 'data');
  if (given === undefined) await mkdir(dataDir, { mode: 0o700 });
  const config = join(root, 'platen.json');
  await writeFile(config, JSON.stringify({ security }));
  const platen = async (...args: string[]): Promise<Said> => {
    const [out, err]: [string[], string[]] = [[], []];
    const io: Io = {
      out: line => void out.push(line),
      err: line => void err.push(line),
      env: { PLATEN_DATA_DIR: dataDir, PLATEN_CONFIG: config },
      cwd: root,
    };
    try {
      return { code: await origins(args, io), out: out.join('\n'), err: err.join('\n') };
    } catch (error) {
      return { code: exitCodeOf(error), out: out.join('\n'), err: (error as Error).message };
    }
  };
  return {
    root,
    dataDir,
    platen,
    listed: async () =>
      JSON.parse((await platen('list', '--json')).out) as { grants: object[]; [fact: string]: unknown },
    audit: async () =>
      (await readFile(join(dataDir, 'audit.log'), 'utf8'))
        .trim()
        .split('\n')
        .map(line => JSON.parse(line) as object),
  };
}

t.test('origins: wrong usage, exit code 2, and nothing is written', async t => {
  const { platen, dataDir } = await place(t);
  for (const [args, named] of [
    [[], /platen origins list/],
    [['permit', A], /platen origins list/],
    [['toString'], /platen origins list/],
    [['allow'], /platen origins list/],
    [['list', A], /platen origins list/],
    [['allow', A, A], /platen origins list/],
    [['revoke', A, '--days', '3'], /--days belongs to "platen origins allow"/],
    [['refuse', A, '--may', 'scan'], /--may belongs/],
    [['allow', A, '--json'], /--json belongs to "platen origins list"/],
    [['allow', 'a.example'], /ORIGIN takes .*https:\/\/app\.example.*"a\.example"/],
    [['allow', `${A}/`], /ORIGIN takes/],
    [['allow', 'https://*.example'], /ORIGIN takes/],
    [['allow', 'null'], /ORIGIN takes/],
    [['allow', A, '--may', 'scan,print'], /--may takes scan, auto-scan, settings.*"scan,print"/],
    [['allow', A, '--may', 'none'], /--may takes/],
    [['allow', A, '--scanner', ''], /--scanner takes/],
    [['allow', A, '--days', '0'], /--days takes a number from 1 to 3650, not "0"/],
    [['allow', A, '--days', '3651'], /--days takes/],
    [['allow', A, '--days', '1.5'], /--days takes/],
    [['allow', A, '--for', 'ever'], /--for/],
  ] as const) {
    const { code, err } = await platen(...args);
    t.equal(code, 2, args.join(' '));
    t.match(err, named);
  }
  t.same(await readdir(dataDir), []);
  t.match(await platen('--help'), { code: 0, out: /platen origins link[^]*2 {2}wrong usage/ });
});

t.test('origins allow: a page that asked may scan at once, in a running service', async t => {
  const { app, dataDir } = await testService(t, fakeDriver({ devices: [{ name: 'A' }, { name: 'B' }] }), {
    config: { security: { origins: 'ask' } },
    clock: systemClock,
  });
  // A service that starts marks its folder.
  await writeFile(join(dataDir, 'platen-data-folder'), '', { mode: 0o600 });
  const { platen, audit, listed } = await place(t, undefined, dataDir);
  const list = async () => app.inject({ url: '/api/twain/scanners', headers: { host: 'localhost:53052', origin: A } });
  t.equal((await list()).statusCode, 403);
  t.match(await platen('allow', 'HTTPS://A.example:443', '--scanner', 'A', '--may', 'auto-scan', '--days', '2'), {
    code: 0,
    err: '',
  });
  t.match((await list()).json(), { count: 1 });
  const [grant, ...others] = (await listed()).grants as { until: string }[];
  t.match(grant, { origin: A, scanners: ['A'], may: ['scan', 'auto-scan'], by: 'command' });
  t.same(others, []);
  const hours = (Date.parse(grant?.until ?? '') - Date.now()) / 3_600_000;
  t.ok(hours > 47 && hours <= 48, `${hours} hours`);

  t.match(await platen('refuse', A), { code: 0 });
  t.equal((await list()).statusCode, 403);
  t.match((await listed()).grants, [{ origin: A, may: [], by: 'command' }]);
  t.match(await platen('revoke', A), { code: 0, err: '' });
  t.match(await platen('revoke', A), { code: 1, err: /Nothing was answered about https:\/\/a\.example/ });
  t.match((await audit()).slice(-3), [
    { event: 'allowed', origin: A, may: ['scan', 'auto-scan'], scanners: ['A'], by: 'command' },
    { event: 'refused', origin: A, by: 'command' },
    { event: 'revoked', origin: A, by: 'command' },
  ]);
});

t.test('origins allow: files that only their account reads, in a folder that a service accepts', async t => {
  const { platen, dataDir } = await place(t);
  t.match(await platen('allow', A), {
    code: 0,
    out: /Allowed https:\/\/a\.example: scan; all scanners; until revoked/,
  });
  const folder = join(dataDir, 'origins');
  const [file = ''] = await readdir(folder);
  for (const path of [folder, join(folder, file), join(dataDir, 'audit.log')])
    t.equal((await stat(path)).mode & 0o077, 0, path);
  t.ok((await readdir(dataDir)).includes('platen-data-folder'));
});

t.test("origins: an administrator's file goes before, and is named", async t => {
  const { platen, root, listed } = await place(t);
  const file = join(root, 'origins.json');
  await writeFile(file, JSON.stringify({ grants: [{ origin: A, may: ['scan'], until: '2999-01-01' }] }));
  for (const verb of ['allow', 'refuse', 'revoke'])
    t.match(await platen(verb, A), { code: 1, err: new RegExp(file.replaceAll('\\', '\\\\')) }, verb);
  t.match(await listed(), { mode: 'ask', administratorsFile: file, grants: [{ origin: A, by: 'file' }] });
  t.match((await platen('list')).out, file);
  await writeFile(file, '{"grants": [{"origin": 5}]}');
  t.match(await platen('list'), { code: 3, err: /origins\.json cannot be used: origin takes/ });
});

t.test('origins list: the mode, and what is in the configuration', async t => {
  const open = await place(t, {});
  t.match(await open.platen('list'), { code: 0, out: /Mode "open"/ });
  t.match(await open.platen('allow', A), { code: 0, err: /"origins": "ask"/ });
  const list = await place(t, { origins: [A] });
  t.match(await list.listed(), { mode: 'list', grants: [{ origin: A, by: 'configuration' }] });
  t.match(await list.platen('revoke', A), { code: 1, err: /platen\.json lists https:\/\/a\.example/ });
});

t.test('origins list: text of a damaged file is no order to a terminal', async t => {
  const { platen, dataDir } = await place(t);
  await platen('allow', A, '--scanner', 'a\u001b[2J\u202eb');
  t.match((await platen('list')).out, /"a\\u001b\[2J\\u202eb"/);
  const [file = ''] = await readdir(join(dataDir, 'origins'));
  await writeFile(join(dataDir, 'origins', file), '{');
  t.match(await platen('list'), { code: 0, out: /Nothing was answered/, err: /is not a grant/ });
});

t.test('origins link: with the token where local programs need one', async t => {
  const open = await place(t);
  t.match(await open.platen('link'), { code: 0, out: 'https://localhost:53052/origins/' });
  const { platen, dataDir } = await place(t, { origins: 'ask', localPrograms: 'token' });
  t.match(await platen('link'), { code: 3, err: /when it starts/ });
  const token = newSecret();
  await writeFile(join(dataDir, 'local.token'), `${token}\n`, { mode: 0o600 });
  t.match(await platen('link'), { code: 0, out: `https://localhost:53052/origins/#token=${token}`, err: '' });
  t.match(await platen('allow', A), { code: 0, err: /platen origins link/ });
  const free = await place(t, { origins: 'ask' });
  await writeFile(join(free.root, 'platen.json'), JSON.stringify({ listen: { port: 0 } }));
  t.match(await free.platen('link'), { code: 3, err: /any free port/ });
});

t.test('origins: no data folder, exit code 3', async t => {
  const { platen, dataDir } = await place(t);
  await rm(dataDir, { recursive: true });
  t.match(await platen('allow', A), { code: 3, err: /There is no data folder/ });
  await writeFile(dataDir, '');
  t.match(await platen('list'), { code: 3, err: /is not a folder/ });
});
