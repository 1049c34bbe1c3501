/** The lock of the dependencies installs everywhere: it names every system's packages, and no host. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import t from 'tap';

interface Entry {
  readonly resolved?: string;
  readonly optionalDependencies?: Readonly<Record<string, string>>;
}

/** The clone, from the compiled file. */
const clone = fileURLToPath(new URL('../../..', import.meta.url));

const { packages } = JSON.parse(readFileSync(join(clone, 'package-lock.json'), 'utf8')) as {
  packages: Record<string, Entry>;
};

t.test('package-lock: packages, none bound to the registry that it came from', async t => {
  t.same(
    Object.entries(packages)
      .filter(([, { resolved = '' }]) => /^\w+:/.test(resolved))
      .map(([path]) => path),
    [],
  );
});

// npm leaves out what the registry at hand does not have, and `npm ci` then refuses the lock, on every system.
t.test('package-lock: optional packages of other systems, listed', async t => {
  const missing = Object.entries(packages).flatMap(([path, { optionalDependencies = {} }]) => {
    return Object.keys(optionalDependencies).filter(
      name => !packages[`${path}/node_modules/${name}`] && !packages[`node_modules/${name}`],
    );
  });
  t.same(missing, []);
});
