import { fork } from 'node:child_process';
import { once } from 'node:events';
import { chmod, chown, mkdir, readdir, readFile, rm, stat, symlink, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import t from 'tap';
import { folder } from './channel.test.kit.js';
import { channelSecret, secretFile } from './secret.js';

const posix = { skip: process.platform === 'win32' && 'no modes here' };
const hex = (secret: Uint8Array): string => Buffer.from(secret).toString('hex');

t.test('secret: made once, the same afterwards, readable by its account only', async t => {
  const dir = await folder(t);
  const made = await channelSecret(dir);
  t.equal(made.length, 32);
  t.equal(hex(await channelSecret(dir)), hex(made));
  t.not(hex(await channelSecret(await folder(t))), hex(made));
  t.same(await readdir(dir), ['channel.secret']);
  if (process.platform !== 'win32') t.equal((await stat(secretFile(dir))).mode & 0o777, 0o600);
});

t.test('secret: many processes start at once, all get the same one', async t => {
  const dir = await folder(t);
  const program = join(dir, 'end.mjs');
  await writeFile(
    program,
    `
    import { channelSecret } from ${JSON.stringify(new URL('./secret.js', import.meta.url).href)};
    process.on('message', async dir => { process.send(Buffer.from(await channelSecret(dir)).toString('hex')); process.disconnect(); });
    process.send('ready');
  `,
  );
  const data = join(dir, 'data');
  await mkdir(data);
  const ends = Array.from({ length: 6 }, () => fork(program));
  t.teardown(() => ends.forEach(each => each.kill('SIGKILL')));
  await Promise.all(ends.map(each => once(each, 'message')));
  const secrets = ends.map(each => once(each, 'message').then(([secret]) => String(secret)));
  for (const each of ends) each.send(data);
  t.equal(new Set(await Promise.all(secrets)).size, 1);
  t.same(await readdir(data), ['channel.secret']);
});

t.test('secret: a disk without hard links, it is written in place', async t => {
  const fs = createRequire(import.meta.url)('node:fs/promises') as { link: unknown };
  const { syncBuiltinESMExports } = await import('node:module');
  const { link } = fs;
  fs.link = async () => Promise.reject(Object.assign(new Error(), { code: 'EPERM' }));
  syncBuiltinESMExports();
  t.teardown(() => {
    fs.link = link;
    syncBuiltinESMExports();
  });
  const dir = await folder(t);
  const [one, other] = await Promise.all([channelSecret(dir), channelSecret(dir)]);
  t.equal(hex(one), hex(other));
  t.same(await readdir(dir), ['channel.secret']);
});

t.test('secret: readable by others, it is rejected and not repaired', posix, async t => {
  const dir = await folder(t);
  await channelSecret(dir);
  const file = secretFile(dir);
  for (const mode of [0o640, 0o604, 0o660, 0o666]) {
    await chmod(file, mode);
    await t.rejects(
      channelSecret(dir),
      {
        code: 'channel-secret',
        message: `The secret of the channel to the desktop application, ${file}, cannot be used: other accounts may have read it: delete it, and start the service and the desktop application again.`,
      },
      mode.toString(8),
    );
    t.equal((await stat(file)).mode & 0o777, mode);
  }
  t.ok(await channelSecret(dir, { platform: 'win32' }), 'where modes say nothing');
});

t.test(
  'secret: owned by another account, it is rejected',
  { skip: process.getuid?.() !== 0 && 'only root can make one' },
  async t => {
    const dir = await folder(t);
    await channelSecret(dir);
    await chown(secretFile(dir), 65534, 65534);
    await t.rejects(channelSecret(dir), { code: 'channel-secret', message: /belongs to another account/ });
  },
);

t.test('secret: other content is rejected and left unchanged', async t => {
  const dir = await folder(t);
  const file = secretFile(dir);
  for (const text of [
    '\n',
    'hello\n',
    `${'0'.repeat(63)}\n`,
    `${'0'.repeat(64)}`,
    `${'0'.repeat(64)}\n\n`,
    `${'G'.repeat(64)}\n`,
    '',
    '0'.repeat(100_000),
  ]) {
    await writeFile(file, text, { mode: 0o600 });
    await t.rejects(
      channelSecret(dir, { unfinishedMs: 1 }),
      { code: 'channel-secret', message: /is not such a secret: delete it/ },
      JSON.stringify(text.slice(0, 70)),
    );
    t.equal(await readFile(file, 'utf8'), text);
  }
});

t.test('secret: a file that is still being written is waited for', async t => {
  const dir = await folder(t);
  await writeFile(secretFile(dir), 'ab'.repeat(10), { mode: 0o600 });
  const secret = channelSecret(dir, { unfinishedMs: 60_000 });
  await writeFile(secretFile(dir), `${'ab'.repeat(32)}\n`);
  t.equal(hex(await secret), 'ab'.repeat(32));
});

t.test('secret: a folder or symbolic link in its place, or no data folder, is rejected', posix, async t => {
  const dir = await folder(t);
  const file = secretFile(dir);
  await mkdir(file);
  await t.rejects(channelSecret(dir), { code: 'channel-secret', message: /it is not a file/ });
  await rm(file, { recursive: true });
  await writeFile(join(dir, 'other'), `${'0'.repeat(64)}\n`, { mode: 0o600 });
  await symlink(join(dir, 'other'), file);
  await t.rejects(channelSecret(dir), { code: 'channel-secret', message: /it is a symbolic link/ });
  await t.rejects(channelSecret(join(dir, 'none')), {
    code: 'channel-secret',
    message: /the operating system says ENOENT/,
  });
});
