/** The dependency law: which room may import what. */
import { posix } from 'node:path';
import { breaches, type Law } from './law.js';
import { isTest, packageNameOf, packageOf, roomOf } from './rooms.js';

/** What a test file may import wherever it is. */
const testOnly = new Set(['tap', '@platen/conformance']);

export const importLaws: readonly Law[] = [
  {
    sentence: 'core imports node: and ajv only',
    breaches: breaches.ofImports(({ path }, specifier) => {
      const name = packageNameOf(specifier);
      return roomOf(path) === 'core' && name !== undefined && name !== 'ajv' && !(isTest(path) && testOnly.has(name));
    }),
  },
  {
    sentence: 'plugins and drivers know @platen/core/plugin only, and @platen/conformance in tests; a driver that needs a process or a channel, @platen/driver-kit',
    breaches: breaches.ofImports(({ path }, specifier) => {
      if (!/^(?:plugins|drivers)$/.test(roomOf(path)) || !specifier.startsWith('@platen/')) return false;
      if (specifier === '@platen/core/plugin') return false;
      if (specifier === '@platen/conformance') return !isTest(path);
      return !(roomOf(path) === 'drivers' && /^@platen\/driver-(?:kit|remote)(?:$|\/)/.test(specifier));
    }),
  },
  {
    sentence: 'the server knows @platen/core by its front door, and @platen/driver-kit for drivers in other processes: plugins and drivers are named in its configuration',
    breaches: breaches.ofImports(({ path }, specifier) => {
      if (roomOf(path) !== 'server' || !specifier.startsWith('@platen/')) return false;
      return specifier !== '@platen/core' && !/^@platen\/driver-(?:kit|remote)(?:$|\/)/.test(specifier) && !(specifier === '@platen/conformance' && isTest(path));
    }),
  },
  {
    sentence: 'nobody imports the server but the whole-house tests',
    breaches: breaches.ofImports(({ path }, specifier) => packageNameOf(specifier) === '@platen/server' && roomOf(path) !== 'test'),
  },
  {
    sentence: 'fastify and tsyringe appear in the server only',
    breaches: breaches.ofImports(({ path }, specifier) => {
      const name = packageNameOf(specifier) ?? '';
      return /^(?:@?fastify(?:[-/].*)?|tsyringe|reflect-metadata)$/.test(name) && roomOf(path) !== 'server' && roomOf(path) !== 'test';
    }),
  },
  {
    sentence: 'tsyringe stops at server/src/compose.ts and server/src/tokens.ts',
    breaches: breaches.ofImports(({ path }, specifier) => {
      return packageNameOf(specifier) === 'tsyringe' && !['server/src/compose.ts', 'server/src/tokens.ts'].includes(path) && !isTest(path);
    }),
  },
  {
    sentence: 'a package is imported by its name, never by a path that leads out of one package into another',
    breaches: breaches.ofImports(({ path }, specifier) => {
      if (!specifier.startsWith('.') || roomOf(path) === 'scripts') return false;
      return packageOf(posix.join(posix.dirname(path), specifier)) !== packageOf(path);
    }),
  },
  {
    sentence: 'what a package imports, its package.json names (tests and tools also have what the root\'s names)',
    breaches: breaches.ofImports(({ path }, specifier, manifests) => {
      const name = packageNameOf(specifier);
      if (name === undefined) return false;
      const own = manifests.get(packageOf(path));
      const shipped = !isTest(path) && path.startsWith(`${packageOf(path)}/src/`);
      return own !== undefined && !own.has(name) && (shipped || manifests.get('')?.has(name) !== true);
    }),
  },
];
