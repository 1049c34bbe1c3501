/** An installation of the published server has the versions that were tested. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import t from 'tap';
import { clone } from './clone.js';

interface Entry {
  readonly version?: string;
  readonly optional?: boolean;
  readonly dependencies?: Readonly<Record<string, string>>;
  readonly optionalDependencies?: Readonly<Record<string, string>>;
}
type Closure = ReadonlyMap<string, Entry>;

const release = (file: string): string => pathToFileURL(join(clone, 'setup', 'release', file)).href;
const { closureOf } = (await import(release('closure.mjs'))) as { closureOf(start: string): Closure };
const { pins } = (await import(release('pins.mjs'))) as { pins(): Readonly<Record<string, string>> };
const closure = closureOf('server');
const pinned = pins();
const { packages } = JSON.parse(readFileSync(join(clone, 'package-lock.json'), 'utf8')) as {
  packages: Readonly<Record<string, Entry>>;
};
const nameOf = (path: string): string => path.replace(/^.*node_modules\//, '');
const exact = /^\d+\.\d+\.\d+(-[\w.]+)?$/;

t.test('pins: every version that the server asks for is exact, and the one in the lock', async t => {
  const others = Object.entries(pinned);
  t.ok(others.length > 50, `${others.length} packages of others`);
  t.same(
    others.filter(([, range]) => !exact.test(range)),
    [],
  );
  t.same(
    others.filter(([name, range]) =>
      Object.entries(packages).every(([path, entry]) => nameOf(path) !== name || entry.version !== range),
    ),
    [],
  );
});

t.test('pins: no package of an installation is left out', async t => {
  const third = [...closure].filter(([path, { optional }]) => path.startsWith('node_modules/') && !optional);
  t.same(
    [...new Set(third.map(([path]) => nameOf(path)))].filter(name => !(name in pinned)),
    [],
  );
});

// They are not pinned: an optional dependency of the server's own would be installed on every platform that it allows.
t.test('pins: packages for one platform are asked for by the exact version', async t => {
  const loose = [...closure.values()]
    .filter(({ optional }) => !optional)
    .flatMap(({ optionalDependencies = {} }) => Object.entries(optionalDependencies))
    .filter(([, range]) => !exact.test(range));
  t.same(loose, []);
});
