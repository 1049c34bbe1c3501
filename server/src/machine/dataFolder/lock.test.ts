import { fork } from 'node:child_process';
import { createHash } from 'node:crypto';
import { realpathSync } from 'node:fs';
import { createServer } from 'node:net';
import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import t from 'tap';
import { dataFolderHolder, lockChannel, lockDataFolder } from './lock.js';

const root = await mkdtemp(join(tmpdir(), 'platen-lock-'));
t.teardown(() => rm(root, { recursive: true, force: true }));
const folder = async (name: string): Promise<string> => {
  await mkdir(join(root, name), { recursive: true });
  return join(root, name);
};

const program = join(root, 'holder.mjs');
await writeFile(
  program,
  `
  import { lockDataFolder } from ${JSON.stringify(new URL('./lock.js', import.meta.url).href)};
  process.on('message', () => undefined); // keeps the process alive, which the lock does not
  try { await lockDataFolder(process.argv[2]); process.send('held'); }
  catch (error) { process.send(error.code + ': ' + error.message); process.disconnect(); }
`,
);

/** A process that tries to take the lock; `said` is "held" or the error. */
function holder(t: { teardown(f: () => unknown): void }, dir: string): { child: ChildProcess; said: Promise<string> } {
  const child = fork(program, [dir]);
  t.teardown(() => child.kill('SIGKILL'));
  return { child, said: once(child, 'message').then(([message]) => String(message)) };
}

t.test('lock: a second service on a folder fails and names the first', async t => {
  const dir = await folder('second');
  const first = holder(t, dir);
  t.equal(await first.said, 'held');
  const message =
    `The data folder ${dir} is in use by another service (process ${first.child.pid}). ` +
    'Stop that one, or set PLATEN_DATA_DIR to another folder.';
  await t.rejects(lockDataFolder(dir), { code: 'data-folder-in-use', message });
  t.equal(await holder(t, dir).said, `data-folder-in-use: ${message}`);
  await t.resolves(
    lockDataFolder(await folder('other')).then(release => release()),
    'another folder is free',
  );
});

t.test('lock: the holder says what it is, as it is when it is asked', async t => {
  const dir = await folder('use');
  const service = { use: 'service', host: 'localhost', port: 0, config: join(dir, 'a "b"\n.json') } as const;
  let port = 0;
  const release = await lockDataFolder(dir, () => ({ ...service, port }));
  const held = { alive: true, pid: process.pid };
  t.same(await dataFolderHolder(dir), { ...held, use: service });
  port = 53052;
  t.same(await dataFolderHolder(dir), { ...held, use: { ...service, port } });
  t.match(await lockDataFolder(dir).catch((error: unknown) => error), { holder: { use: { port } } });
  await release();
  const releaseScan = await lockDataFolder(dir, () => ({ use: 'scan' }));
  t.same(await dataFolderHolder(dir), { ...held, use: { use: 'scan' } });
  await t.rejects(lockDataFolder(dir), { code: 'data-folder-in-use', message: /another scan \(process \d+\)/ });
  await releaseScan();
  t.same(await dataFolderHolder(dir), { alive: false });
});

t.test(
  'lock: a holder of another release says less, or more',
  { skip: process.platform === 'win32' && 'the name of its pipe has a secret' },
  async t => {
    for (const [answer, pid, use] of [
      ['7\n', 7, undefined],
      ['7\n{"use":"service","port":1}\n', 7, undefined],
      ['7\nnonsense\n', 7, undefined],
      ['', undefined, undefined],
      ['7\n{"use":"scan","more":1}\nand more\n', 7, { use: 'scan' }],
    ] as const) {
      const dir = await folder(`other-${Math.random()}`);
      const other = createServer(socket => void socket.end(answer));
      await new Promise<void>(resolve => other.listen(join(dir, 'lock.sock'), resolve));
      t.same(await dataFolderHolder(dir), { alive: true, pid, use }, answer);
      other.close();
    }
  },
);

t.test('lock: a killed holder leaves the folder free', async t => {
  const dir = await folder('killed');
  for (let round = 0; round < 3; round += 1) {
    const { child, said } = holder(t, dir);
    t.equal(await said, 'held');
    child.kill('SIGKILL');
    await once(child, 'exit');
  }
  const release = await lockDataFolder(dir);
  await t.rejects(lockDataFolder(dir), { code: 'data-folder-in-use' });
  await release();
  t.same(await readdir(dir), [], 'nothing is left behind');
});

t.test('lock: many find a stale lock at once, one gets it', async t => {
  const dir = await folder('many');
  const dead = holder(t, dir);
  await dead.said;
  dead.child.kill('SIGKILL');
  await once(dead.child, 'exit');
  const said = await Promise.all(Array.from({ length: 6 }, () => holder(t, dir).said));
  t.equal(said.filter(each => each === 'held').length, 1, said.join('\n'));
  t.equal(said.filter(each => each.startsWith('data-folder-in-use')).length, 5);
});

t.test(
  'lock: a holder that does not answer still holds the folder',
  { skip: process.platform === 'win32' && 'processes cannot be stopped here' },
  async t => {
    const dir = await folder('stopped');
    const { child, said } = holder(t, dir);
    await said;
    child.kill('SIGSTOP');
    await t.rejects(lockDataFolder(dir), { message: /in use by another service\./ });
  },
);

t.test('lock: after a release it can be taken again; a second release does not affect the next holder', async t => {
  const dir = await folder('again');
  const release = await lockDataFolder(dir);
  await release();
  const next = await lockDataFolder(dir);
  await release();
  await t.rejects(lockDataFolder(dir), { code: 'data-folder-in-use' });
  await next();
});

t.test("lock: the folder's path is too long for a socket", async t => {
  const dir = await folder('long-'.repeat(30));
  // Where an earlier version looked, and any account could listen first.
  const squatter = createServer();
  t.teardown(() => squatter.close());
  const hash = createHash('sha256').update(realpathSync(dir)).digest('hex').slice(0, 20);
  if (process.platform !== 'win32')
    await new Promise<void>(resolve => squatter.listen(join(tmpdir(), `platen-${hash}.sock`), resolve));
  const release = await lockDataFolder(dir);
  if (process.platform !== 'win32')
    t.same(await readdir(dir), ['lock.sock'], 'it lies in the folder, where nobody else can put one');
  t.match(await dataFolderHolder(dir), { alive: true, pid: process.pid });
  await t.rejects(lockDataFolder(dir), { code: 'data-folder-in-use' });
  await release();
  await (
    await lockDataFolder(dir)
  )();
});

t.test("lock: a plain file in the socket's place is not a lock", async t => {
  const dir = await folder('plain');
  await writeFile(join(dir, 'lock.sock'), '');
  await (
    await lockDataFolder(dir)
  )();
  t.same(await readdir(dir), []);
});

t.test('lock: each channel and the data folder have separate locks', async t => {
  const dir = await folder('channels');
  const releases = [await lockDataFolder(dir), await lockChannel(dir, 'platen'), await lockChannel(dir, 'desk')];
  await t.rejects(lockChannel(dir, 'platen'), {
    code: 'channel-in-use',
    message: `The channel platen is served by another desktop application (process ${process.pid}). Stop that one, or set another channel in both configurations.`,
  });
  await t.rejects(lockDataFolder(dir), { code: 'data-folder-in-use' });
  const long = await folder('channels-'.repeat(20));
  const own = [await lockChannel(long, 'platen'), await lockDataFolder(long), await lockChannel(long, 'desk')];
  await t.rejects(lockChannel(long, 'platen'), { code: 'channel-in-use' });
  for (const release of [...releases, ...own]) await release();
  t.same([...(await readdir(dir)), ...(await readdir(long))], []);
  await (
    await lockChannel(dir, 'platen')
  )();
});
