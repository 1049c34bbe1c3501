/** What a real release asks for before it changes anything. */
import { execFile, execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import t from 'tap';
import { loadParts } from '../tools/releaseParts.js';

t.test('a release is refused', async t => {
  const { refusals, sourcesOf } = await loadParts();
  const folder = await mkdtemp(join(tmpdir(), 'platen-refusals-'));
  t.teardown(() => rm(folder, { recursive: true, force: true }));
  const [clone, helpers, userconfig] = ['clone', 'helpers', 'npmrc'].map(name => join(folder, name)) as [
    string,
    string,
    string,
  ];
  const prebuilt = join(clone, 'drivers', 'it', 'prebuilt', 'darwin');
  await mkdir(prebuilt, { recursive: true });
  const builds = [{ program: 'it', toolchain: 'linux-x64', sources: ['../../native/*.c'], libraries: ['-lc'] }];
  const it = { name: '@platen/it-darwin', platen: { builds } };
  const source = join(clone, 'drivers', 'it', 'native', 'it.c');
  await mkdir(join(source, '..'), { recursive: true });
  await writeFile(source, 'int main(void) { return 0; }');
  await writeFile(join(clone, 'package.json'), JSON.stringify({ workspaces: ['drivers/*'] }));
  await writeFile(join(clone, 'drivers', 'it', 'package.json'), JSON.stringify({ name: '@platen/it' }));
  await writeFile(join(prebuilt, 'package.json'), JSON.stringify(it));
  await writeFile(userconfig, '');
  const git = (...args: string[]) =>
    execFileSync('git', ['-C', clone, '-c', 'user.name=A', '-c', 'user.email=a@example.org', ...args]);
  git('init', '--quiet', '--initial-branch', 'main');
  git('add', '--all');
  git('commit', '--quiet', '--message', 'feat: it');

  const nobody = { NPM_CONFIG_USERCONFIG: userconfig };
  const forge = { ...nobody, ACTIONS_ID_TOKEN_REQUEST_URL: 'https://forge.example.org' };
  const registry = new Set(['@platen/it', '@platen/it-darwin']);
  const published = (name: string) => Promise.resolve(registry.has(name));
  const reasons = (env: Record<string, string> = forge, mode: 'all' | 'tag' | 'stage' = 'all') =>
    refusals({ clone, version: '0.1.0', helpers, env, mode, published });
  const one = (found: string[], named: RegExp) => {
    t.equal(found.length, 1, found.join('\n'));
    t.match(found[0], named);
  };

  one(await reasons(), /@platen\/it-darwin/);
  t.same(await reasons(nobody, 'tag'), [], 'the forge builds and publishes');
  await mkdir(join(helpers, 'it-darwin', 'bin'), { recursive: true });
  one(await reasons(), /@platen\/it-darwin has no program of these sources/);
  // As a computer with another compiler leaves it.
  await writeFile(join(helpers, 'it-darwin', 'made-from'), `${sourcesOf({ folder: prebuilt, manifest: it })}\nother`);
  t.same(await reasons(), [], 'nothing in the way');
  t.match(await reasons(nobody), [/token/, /[Pp]rovenance/]);
  one(await reasons({ ...nobody, NODE_AUTH_TOKEN: 'x' }), /[Pp]rovenance/);

  registry.delete('@platen/it-darwin');
  one(await reasons(), /first version of @platen\/it-darwin with a token/);
  t.same(await reasons({ ...forge, NODE_AUTH_TOKEN: 'x' }), [], 'a token publishes first versions');
  registry.add('@platen/it-darwin');

  one(await reasons(forge, 'stage'), /v0\.1\.0/);
  git('tag', 'v0.1.0');
  t.same(await reasons(forge, 'stage'), []);
  t.same(await reasons(nobody, 'stage'), [], 'another job publishes');
  one(await reasons(), /v0\.1\.0/);
  git('tag', '--delete', 'v0.1.0');

  const workflow = join(clone, '.github', 'workflows', 'release.yml');
  await mkdir(join(workflow, '..'), { recursive: true });
  const using = async (...actions: string[]) => {
    await writeFile(workflow, actions.map(action => `      - uses: ${action}\n`).join(''));
    git('add', '--all');
    git('commit', '--quiet', '--message', 'ci: it');
  };
  const sha = 'a0'.repeat(20);
  await using(`a/b@${sha} # v1.0.0`, 'a/c@v2', `a/d@${sha}0`);
  for (const mode of ['all', 'tag'] as const) one(await reasons(forge, mode), /uses a\/c@v2, a\/d@\w+, /);
  await using(`a/b@${sha} # v1.0.0`);
  t.same(await reasons(), []);

  git('switch', '--quiet', '--create', 'other');
  one(await reasons(), /other/);
  git('switch', '--quiet', 'main');
  await writeFile(join(clone, 'new'), '');
  one(await reasons(), /not committed/);
});

t.test('publishing again: what is there is skipped, and another content stops it', async t => {
  const { unpublished } = await loadParts();
  const dir = t.testdir({ 'a.tgz': 'one', 'b.tgz': 'two' });
  const tarballs = ['a', 'b'].map(name => ({ name, version: '1.0.0', file: join(dir, `${name}.tgz`) }));
  const integrity = (text: string) => `sha512-${createHash('sha512').update(text).digest('base64')}`;
  const registry = (there: Record<string, string>) => (spec: string) => Promise.resolve(there[spec]);
  t.same(await unpublished(tarballs, registry({ 'a@1.0.0': integrity('one') })), [tarballs[1]]);
  await t.rejects(unpublished(tarballs, registry({ 'b@1.0.0': integrity('other') })), { message: /b@1\.0\.0/ });
});

t.test('publishing: npm sends the token of NODE_AUTH_TOKEN', async t => {
  const { npm, npmEnv, tokenVariable } = await loadParts();
  const sent: (string | undefined)[] = [];
  const server = createServer((request, answer) => {
    sent.push(request.headers.authorization);
    answer.setHeader('content-type', 'application/json').end('{"username":"somebody"}');
  });
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve));
  t.teardown(() => server.close());
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
  const env = npmEnv(tokenVariable('t0ken', url));
  const [program = '', ...args] = npm('whoami', '--registry', url);
  const { stdout } = await promisify(execFile)(program, args, { env });
  t.match(stdout, /somebody/);
  t.same(sent, ['Bearer t0ken']);
  t.same(tokenVariable(undefined, url), {});
});
