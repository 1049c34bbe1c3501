/** Checks of package.json. */
import assert from 'node:assert/strict';
import { isWithin } from './nodeRange.js';
import type { PackageCase, PackageFacts } from './packageFacts.js';

type Names = Readonly<Record<string, unknown>>;
const namesIn = (field: unknown): Names => (typeof field === 'object' && field !== null ? (field as Names) : {});

const difference = (all: readonly string[], some: readonly string[]) => all.filter(each => !some.includes(each));

const prebuiltOf = ({ manifest }: PackageFacts): Names => namesIn(namesIn(manifest['platen'])['prebuilt']);

export const manifestCases: readonly PackageCase[] = [
  {
    id: 'package-is-a-module',
    title: 'package.json says that its files are modules, and where the plugin is',
    hint: 'Write "type": "module" and "exports": "./dist/plugin.js" into package.json.',
    async run(_, { manifest }) {
      assert.equal(manifest['type'], 'module', 'package.json has no "type": "module"');
      assert.ok(manifest['exports'], 'package.json has no exports');
    },
  },
  {
    id: 'package-core-is-a-peer',
    title: '@platen/core is a peer dependency with a range, so that updates of Platen can be installed',
    hint: 'Write "peerDependencies": { "@platen/core": "^VERSION" }. An exact version breaks the next update; the api number protects the plugin.',
    async run(_, { manifest }) {
      const range = namesIn(manifest['peerDependencies'])['@platen/core'];
      assert.ok(
        !('@platen/core' in namesIn(manifest['dependencies'])),
        '@platen/core is one of the dependencies: the plugin would get a core of its own',
      );
      assert.ok(typeof range === 'string', 'peerDependencies does not name @platen/core');
      assert.ok(!/^[v=]?\d+\.\d+\.\d+/.test(range.trim()), `"@platen/core": "${range}" is one version, not a range`);
      assert.ok(/^[\^~>*\d]/.test(range.trim()), `"@platen/core": "${range}" is not a range of versions`);
    },
  },
  {
    id: 'package-names-its-node',
    title: 'engines.node lets in no version of Node that Platen does not run on',
    hint: 'Write the engines of @platen/core into package.json.',
    async run(_, { manifest, coreNode }) {
      const { node } = namesIn(manifest['engines']);
      assert.ok(typeof node === 'string', `package.json has no engines.node; that of @platen/core is ${coreNode}`);
      assert.ok(isWithin(node, coreNode), `engines.node is ${node}; that of @platen/core is ${coreNode}`);
    },
  },
  {
    id: 'package-names-its-prebuilt-helpers',
    title:
      'platen.prebuilt names the SHA-256 of the programs for each platform, and their package if they are not here',
    hint: 'docs/native-helpers.md shows the entry; platen-pack-native writes it. A package for one platform is in optionalDependencies too.',
    skip: facts => (Object.keys(prebuiltOf(facts)).length > 0 ? undefined : 'the package names no prebuilt helpers'),
    async run(_, facts) {
      const optional = namesIn(facts.manifest['optionalDependencies']);
      for (const [key, entry] of Object.entries(prebuiltOf(facts))) {
        const { package: name, sha256 } = namesIn(entry);
        assert.match(
          key,
          /^(aix|android|darwin|freebsd|linux|openbsd|sunos|win32)-[a-z0-9]+$/,
          `platen.prebuilt["${key}"]: the key is not PLATFORM-ARCH, such as linux-x64`,
        );
        const programs = Object.entries(namesIn(sha256));
        if (name === undefined) {
          const files = programs.map(([program]) => `prebuilt/${key}/bin/${program}`);
          const left = 'fault' in facts.packed ? undefined : difference(files, facts.packed)[0];
          assert.ok(left === undefined, `platen.prebuilt["${key}"] names no package, and ${left} is not packed`);
        } else {
          assert.ok(typeof name === 'string', `platen.prebuilt["${key}"].package is not the name of a package`);
          assert.ok(name in optional, `platen.prebuilt["${key}"]: ${name} is not in optionalDependencies`);
        }
        assert.ok(programs.length > 0, `platen.prebuilt["${key}"] has no sha256 of a program`);
        for (const [file, hash] of programs) {
          assert.ok(
            typeof hash === 'string' && /^[0-9a-f]{64}$/.test(hash),
            `platen.prebuilt["${key}"].sha256["${file}"] is not 64 hexadecimal digits in lower case`,
          );
          assert.equal(
            file.endsWith('.exe'),
            key.startsWith('win32-'),
            `platen.prebuilt["${key}"].sha256["${file}"]: programs end in .exe on Windows, and only there`,
          );
        }
      }
    },
  },
];
