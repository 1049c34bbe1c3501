/** What `npm install @platen/server` brings: few packages, none that runs a script or refuses the oldest Node. */
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import t from 'tap';
import { isThirdParty, objections, runtimeClosure, type Lock } from './runtimeClosure.js';

const { satisfies } = createRequire(import.meta.url)('semver') as {
  satisfies(version: string, range: string): boolean;
};
const rules = { limit: 120, takesNode: (range: string) => satisfies('20.19.0', range) };

const lockFile = join(fileURLToPath(new URL('../../..', import.meta.url)), 'package-lock.json');
const { packages: lock } = JSON.parse(readFileSync(lockFile, 'utf8')) as { packages: Lock };

const linux = { os: 'linux', cpu: 'x64', libc: 'glibc' };
const platforms = [linux, { os: 'win32', cpu: 'x64' }, { os: 'darwin', cpu: 'arm64' }];

for (const platform of platforms) {
  t.test(`run-time packages: few, without install scripts, for Node 20.19, on ${platform.os}`, async t => {
    const closure = runtimeClosure(lock, 'server', platform);
    t.same(objections(closure, rules), []);
    t.comment(`${[...closure.keys()].filter(isThirdParty).length} third-party packages on ${platform.os}`);
    t.ok(closure.has('node_modules/fastify') && closure.has('core'), 'the lock was read');
  });
}

/** A server with a plugin that depends on two packages, one of them nested. */
const fixture: Lock = {
  server: { dependencies: { '@platen/plugin': '0.1.0', a: '1.0.0' } },
  'node_modules/@platen/plugin': { link: true, resolved: 'plugins/plugin' },
  'plugins/plugin': { dependencies: { a: '2.0.0' }, devDependencies: { unused: '1.0.0' } } as Lock[string],
  'plugins/plugin/node_modules/a': { version: '2.0.0', engines: { node: '>=18' } },
  'node_modules/a': { version: '1.0.0', optionalDependencies: { 'a-win': '1.0.0', 'a-linux': '1.0.0', gone: '1' } },
  'node_modules/a-win': { version: '1.0.0', os: ['win32'] },
  'node_modules/a-linux': { version: '1.0.0', os: ['linux'], libc: ['glibc'] },
  'node_modules/unused': { version: '1.0.0', hasInstallScript: true },
};

t.test('runtimeClosure: nested versions and the platform’s own packages, no development dependencies', async t => {
  t.same([...runtimeClosure(fixture, 'server', linux).keys()].sort(), [
    'node_modules/a',
    'node_modules/a-linux',
    'plugins/plugin',
    'plugins/plugin/node_modules/a',
    'server',
  ]);
  const onMusl = runtimeClosure(fixture, 'server', { ...linux, libc: 'musl' });
  t.notOk(onMusl.has('node_modules/a-linux'));
  t.throws(() => runtimeClosure({ server: { dependencies: { b: '1.0.0' } } }, 'server', linux), { message: /lacks b/ });
});

t.test('runtimeClosure: peers, unless they are optional', async t => {
  const peers: Lock = {
    server: { peerDependencies: { a: '*', b: '*' }, peerDependenciesMeta: { b: { optional: true } } },
    'node_modules/a': {},
    'node_modules/b': {},
  };
  t.same([...runtimeClosure(peers, 'server', linux).keys()].sort(), ['node_modules/a', 'server']);
});

t.test('objections: one for each planted violation', async t => {
  const of = (change: Lock, limit = 120) =>
    objections(runtimeClosure({ ...fixture, ...change }, 'server', linux), { ...rules, limit });
  t.same(of({}), []);
  t.match(of({}, 2), [/^3 third-party packages/]);
  t.match(of({ 'node_modules/a': { hasInstallScript: true } }), [/^node_modules\/a has an install script/]);
  t.match(of({ 'node_modules/a': { engines: { node: '>=22' } } }), [/^node_modules\/a needs Node >=22/]);
  t.match(of({ 'node_modules/a': { engines: { node: '^20.20.0 || >=22' } } }), [/needs Node/]);
  t.match(of({ 'plugins/plugin': { dependencies: { a: '^2.0.0' } } }), [/takes a \^2\.0\.0/]);
});
