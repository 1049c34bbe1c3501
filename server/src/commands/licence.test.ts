import { mkdir, mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { daysLeft } from '@platen/core';
import t, { type Test } from 'tap';
import { createEntitle } from '../service/licences/licence.js';
import { showLicence } from '../service/licences/show.js';
import { licence } from './licence.js';

interface Ran {
  readonly code: number;
  readonly out: string;
  readonly err: string;
}

async function vendor(t: Test): Promise<{ readonly cwd: string; run(...args: string[]): Promise<Ran> }> {
  const cwd = await mkdtemp(join(tmpdir(), 'platen-licence-'));
  t.teardown(() => rm(cwd, { recursive: true, force: true }));
  return {
    cwd,
    async run(...args) {
      const [out, err]: [string[], string[]] = [[], []];
      const io = { out: (line: string) => out.push(line), err: (line: string) => err.push(line), env: {}, cwd };
      const code = await licence(args, io as never);
      return { code, out: out.join('\n'), err: err.join('\n') };
    },
  };
}

const pemIn = (text: string): string => /-----BEGIN PUBLIC KEY-----[^`]*/.exec(text)?.[0] ?? '';
const required = ['--key', 'vendor.key', '--plugin', '@acme/reader', '--customer', 'Acme Clinic'];

t.test(
  'keys: the private key for this account only, never overwritten; the public one as a plugin takes it',
  async t => {
    const { cwd, run } = await vendor(t);
    const { code, out, err } = await run('keys');
    t.equal(code, 0);
    t.match(out, /^premium: \{\n {2}publicKey: `-----BEGIN PUBLIC KEY-----/);
    t.notMatch(out + err, /PRIVATE KEY-----/);
    const file = join(cwd, 'vendor.key');
    const key = await readFile(file, 'utf8');
    if (process.platform !== 'win32') t.equal((await stat(file)).mode & 0o777, 0o600);
    await t.rejects(run('keys'), { code: 'usage', message: /exists already/ });
    t.equal(await readFile(file, 'utf8'), key);
    t.equal((await run('keys', '--out', 'other.key')).code, 0);
  },
);

t.test('sign: a licence that the service takes, with every claim', async t => {
  const { cwd, run } = await vendor(t);
  const publicKey = pemIn((await run('keys')).out);
  const id = 'a'.repeat(32);
  const { out } = await run(
    ...['sign', ...required, '--plugin', '@acme/writer', '--until', '2099-01-31', '--from', '2020-01-01'],
    ...['--seats', '5', '--machine', id, '--trial'],
  );
  const entitle = createEntitle(cwd, undefined, async () => id);
  for (const plugin of ['@acme/reader', '@acme/writer'])
    t.same(await entitle({ plugin, publicKeys: [publicKey], licence: out }), {
      customer: 'Acme Clinic',
      expires: new Date('2099-01-31T23:59:59Z'),
      seats: 5,
      trial: true,
    });
  await t.rejects(entitle({ plugin: '@acme/other', publicKeys: [publicKey], licence: out }), { message: /is for/ });
  const elsewhere = createEntitle(cwd, undefined, async () => 'b'.repeat(32));
  await t.rejects(elsewhere({ plugin: '@acme/reader', publicKeys: [publicKey], licence: out }), {
    message: /other computers/,
  });
});

t.test('sign: to a file, which is not overwritten', async t => {
  const { cwd, run } = await vendor(t);
  const publicKey = pemIn((await run('keys')).out);
  const file = join(cwd, 'acme.licence');
  t.match(await run('sign', ...required, '--days', '30', '--out', 'acme.licence'), { code: 0, out: file });
  const { expires } = await createEntitle(cwd)({
    plugin: '@acme/reader',
    publicKeys: [publicKey],
    licence: 'acme.licence',
  });
  t.match(expires.toISOString(), /T23:59:59\.000Z$/);
  // Midnight may have passed since.
  t.ok([29, 30].includes(daysLeft({ customer: '', expires })), expires.toISOString());
  await t.rejects(run('sign', ...required, '--days', '30', '--out', 'acme.licence'), { message: /exists already/ });
});

t.test('sign: wrong flags, wrong usage with the flag’s name', async t => {
  const { cwd, run } = await vendor(t);
  await run('keys');
  await writeFile(join(cwd, 'prose'), 'no key');
  for (const [args, what] of [
    [['--plugin', 'a', '--customer', 'b', '--days', '1'], /--key/],
    [['--key', 'vendor.key', '--customer', 'b', '--days', '1'], /--plugin/],
    [['--key', 'vendor.key', '--plugin', 'a', '--days', '1'], /--customer/],
    [required, /--until DATE or --days N/],
    [[...required, '--days', '1', '--until', '2099-01-01'], /--until DATE or --days N/],
    [[...required, '--days', '0'], /--days/],
    [[...required, '--days', '1.5'], /--days/],
    [[...required, '--until', '2099-02-30'], /--until/],
    [[...required, '--until', '31.1.2099'], /--until/],
    [[...required, '--until', '2020-01-01'], /has passed/],
    [[...required, '--until', '2099-01-01', '--from', '2099-02-01'], /--from/],
    [[...required, '--days', '1', '--seats', 'many'], /--seats/],
    [[...required, '--days', '1', '--machine', 'my desk'], /--machine/],
    [['--key', 'none.key', ...required.slice(2), '--days', '1'], /--key.*none\.key/],
    [['--key', 'prose', ...required.slice(2), '--days', '1'], /not a private Ed25519 key/],
    [[...required, '--days', '1', '--public-key', 'x'], /--public-key does not belong/],
  ] as const)
    await t.rejects(run('sign', ...args), { code: 'usage', message: what }, args.join(' '));
  t.match(await run(), { code: 2, err: /platen licence keys/ });
  await t.rejects(run('other'), { code: 'usage' });
  t.match(await run('show'), { code: 2 });
  t.match(await run('--help'), { code: 0, out: /platen licence sign/ });
});

t.test('show: what it holds, and whether it is valid, with a key, with the plugin and without', async t => {
  const { cwd, run } = await vendor(t);
  const publicKey = pemIn((await run('keys')).out);
  await run('keys', '--out', 'other.key');
  await writeFile(join(cwd, 'public.pem'), publicKey);
  for (const [folder, source] of [
    ['reader', `{ name: '@acme/reader', api: 1, premium: { publicKey: \`${publicKey}\` }, setup() {} }`],
    ['plain', "{ name: '@acme/plain', api: 1, setup() {} }"],
  ] as const) {
    await mkdir(join(cwd, folder));
    await writeFile(join(cwd, folder, 'package.json'), '{ "type": "module", "exports": "./plugin.js" }');
    await writeFile(join(cwd, folder, 'plugin.js'), `export default ${source};`);
  }
  const sign = async (...args: string[]): Promise<string> =>
    (await run('sign', ...required, '--until', '2099-01-31', ...args)).out;
  const good = await sign('--seats', '5', '--trial');

  t.match(await run('show', good, '--public-key', 'public.pem'), {
    code: 0,
    out: /@acme\/reader[^]*Acme Clinic[^]*2099-01-31[^]*Trial[^]*5 \(not enforced\)[^]*Valid here and now/,
  });
  t.match(await run('show', good, '--plugin', 'reader'), { code: 0 });
  t.match(await run('show', good), { code: 0, out: /The signature was not checked/ });
  const forged = (await run('sign', ...required.with(1, 'other.key'), '--until', '2099-01-31')).out;
  t.match(await run('show', forged, '--public-key', 'public.pem'), { code: 1, out: /Not valid: .*changed/ });
  t.match(await run('show', await sign('--from', '2098-01-01')), { code: 1, out: /begins on 2098-01-01/ });
  t.match(await run('show', await sign('--machine', 'b'.repeat(32))), { code: 1, out: /other computers/ });
  await writeFile(join(cwd, 'file.licence'), `${good}\n`);
  t.match(await run('show', 'file.licence', '--public-key', 'public.pem'), { code: 0 });
  await t.rejects(run('show', 'none.licence'), { code: 'usage', message: /does not exist/ });
  await t.rejects(run('show', good, '--plugin', 'plain'), { code: 'usage', message: /not premium/ });
  await t.rejects(run('show', good, '--plugin', 'nowhere'), { code: 'usage', message: /not the folder of a plugin/ });
  await t.rejects(run('show', good, '--plugin', 'reader', '--public-key', 'public.pem'), { code: 'usage' });

  const later = { now: () => Date.parse('2099-02-01'), monotonic: () => 0, after: () => () => undefined };
  for (const key of [undefined, publicKey]) {
    const shown = await showLicence(good, { cwd, publicKey: key, plugin: undefined, clock: later });
    t.match(shown, { isValid: false });
    t.ok(shown.lines.some(line => line.includes('2099-01-31') && line.startsWith('Not valid')));
  }
});

t.test('machine: an id that --machine takes, or that there is none', async t => {
  const { run } = await vendor(t);
  const { code, out, err } = await run('machine');
  if (code === 0) t.match(out, /^[0-9a-f]{32}$/);
  else t.match(err, /no id that can be read/);
});
