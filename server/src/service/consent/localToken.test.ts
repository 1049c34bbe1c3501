/** The token of local programs: made once, private, and made again if it is damaged. */
import { chmodSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import t from 'tap';
import { localToken, readToken, tokenFile } from './localToken.js';

const isWindows = process.platform === 'win32';

t.test('token: made once, 256 random bits, for its account only', async t => {
  const dataDir = t.testdir();
  t.equal(await readToken(dataDir), undefined);
  const token = await localToken(dataDir);
  t.equal(Buffer.from(token, 'base64url').length, 32);
  t.equal(await localToken(dataDir), token);
  t.equal(await readToken(dataDir), token);
  t.not(await localToken(t.testdir()), token);
  t.same(readdirSync(dataDir), ['local.token']);
  if (!isWindows) t.equal(statSync(tokenFile(dataDir)).mode & 0o777, 0o600);
});

t.test('token: damaged or empty, another is made', async t => {
  const dataDir = t.testdir();
  for (const text of ['', 'x', 'a'.repeat(1000), `${'a'.repeat(42)}!`]) {
    writeFileSync(tokenFile(dataDir), text);
    t.equal(await readToken(dataDir), undefined);
    t.match(await localToken(dataDir), /^[\w-]{43}$/);
  }
});

t.test('token: a draft that others can read is not written into', { skip: isWindows }, async t => {
  const dataDir = t.testdir();
  const draft = `${tokenFile(dataDir)}.new`;
  writeFileSync(draft, 'left over');
  chmodSync(draft, 0o666);
  const token = await localToken(dataDir);
  t.equal(readFileSync(tokenFile(dataDir), 'utf8').trim(), token);
  t.equal(statSync(tokenFile(dataDir)).mode & 0o777, 0o600);
});
