/** Both locks, the dependencies' and the release's tools', install everywhere: with every system's packages, and no host. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import t from 'tap';

interface Entry {
  readonly version?: string;
  readonly resolved?: string;
  readonly dependencies?: Readonly<Record<string, string>>;
  readonly optionalDependencies?: Readonly<Record<string, string>>;
}

/** The clone, from the compiled file. */
const clone = fileURLToPath(new URL('../../..', import.meta.url));

const packagesIn = (folder: string): Readonly<Record<string, Entry>> => {
  const { packages } = JSON.parse(readFileSync(join(clone, folder, 'package-lock.json'), 'utf8')) as {
    packages: Readonly<Record<string, Entry>>;
  };
  return packages;
};
const tools = 'setup/release/tools';

for (const folder of ['.', tools]) {
  const packages = packagesIn(folder);

  t.test(`package-lock in ${folder}: packages, none bound to the registry that it came from`, async t => {
    t.ok(Object.keys(packages).length > 100, 'the lock was read');
    t.same(
      Object.entries(packages)
        .filter(([, { resolved = '' }]) => /^\w+:/.test(resolved))
        .map(([path]) => path),
      [],
    );
  });

  // npm leaves out what the registry at hand does not have, and `npm ci` then refuses the lock, on every system.
  t.test(`package-lock in ${folder}: optional packages of other systems, listed`, async t => {
    const missing = Object.entries(packages).flatMap(([path, { optionalDependencies = {} }]) => {
      return Object.keys(optionalDependencies).filter(
        name => !packages[`${path}/node_modules/${name}`] && !packages[`node_modules/${name}`],
      );
    });
    t.same(missing, []);
  });
}

t.test('package-lock of the tools: exact versions, as its package.json asks for them', async t => {
  const { dependencies } = JSON.parse(readFileSync(join(clone, tools, 'package.json'), 'utf8')) as Required<Entry>;
  const packages = packagesIn(tools);
  t.same(packages['']?.dependencies, dependencies);
  t.same(
    Object.fromEntries(Object.keys(dependencies).map(name => [name, packages[`node_modules/${name}`]?.version])),
    dependencies,
  );
});

t.test('package-lock: what only a release needs is not among what every test run waits for', async t => {
  const root = packagesIn('.');
  t.same(
    Object.keys(packagesIn(tools)['']?.dependencies ?? {}).filter(name => root[`node_modules/${name}`]),
    [],
  );
});
