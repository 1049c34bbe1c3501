/** What is checked of a package itself, without its suites. */
import assert from 'node:assert/strict';
import { manifestCases } from './manifestCases.js';
import type { PackageCase, PackageFacts } from './packageFacts.js';
import { pluginCases } from './pluginCases.js';
import { allTargets } from './exportTargets.js';

const untried = ({ packed }: PackageFacts): string | undefined =>
  'fault' in packed ? `npm pack does not say what it packs: ${packed.fault}` : undefined;

function filesOf({ packed }: PackageFacts): readonly string[] {
  return 'fault' in packed ? [] : packed;
}

const packedCases: readonly PackageCase[] = [
  {
    id: 'package-packs-its-entry-points',
    title: 'every file that exports, main, types and bin name is packed',
    hint: 'Build the package first, and name the folder of the built files in `files` of package.json.',
    untried,
    async run(_, facts) {
      const files = filesOf(facts);
      const isPacked = (target: string): boolean => {
        const [start = '', end] = target.split('*');
        return end === undefined
          ? files.includes(target)
          : files.some(file => file.startsWith(start) && file.endsWith(end));
      };
      const missing = allTargets(facts.manifest).filter(target => !isPacked(target));
      assert.ok(missing.length === 0, `npm pack leaves out ${missing.join(', ')}`);
    },
  },
  {
    id: 'package-packs-no-tests',
    title: 'tests, simulators of tests and the module with the suites stay out of the package',
    hint: 'Add their patterns to `files` of package.json: "!dist/**/*.test.*", "!dist/conformance.*".',
    untried,
    async run(_, facts) {
      const { conformance } = (facts.manifest['platen'] ?? {}) as { readonly conformance?: unknown };
      const suites = typeof conformance === 'string' ? conformance.replace(/^\.\//, '') : undefined;
      const isTest = (file: string): boolean =>
        /(^|\/)(tests?|__tests__)\/|\.(test|spec)\./.test(file) || file === suites;
      const tests = filesOf(facts).filter(isTest);
      assert.ok(tests.length === 0, `npm packs ${tests.slice(0, 5).join(', ')}${tests.length > 5 ? ', …' : ''}`);
    },
  },
  {
    id: 'package-has-its-licence',
    title: 'package.json names the licence, and its text is packed',
    hint: 'Write `license` into package.json ("MIT", or "SEE LICENSE IN LICENSE.md"), and put the text beside it as LICENSE.',
    untried,
    async run(_, facts) {
      const { license } = facts.manifest;
      assert.ok(typeof license === 'string' && license.trim() !== '', 'package.json has no license');
      const [, named] = /^SEE LICEN[CS]E IN (.+)$/.exec(license) ?? [];
      const has = filesOf(facts).some(file =>
        named === undefined ? /^licen[cs]e(\.\w+)?$/i.test(file) : file === named,
      );
      assert.ok(has, `the licence is ${license}, but ${named ?? 'no file LICENSE'} is ${named ? 'not ' : ''}packed`);
    },
  },
  {
    id: 'package-has-a-readme',
    title: 'a README is packed',
    hint: 'Write README.md: what the plugin supports, how it is installed, its options.',
    untried,
    async run(_, facts) {
      assert.ok(
        filesOf(facts).some(file => /^readme(\.\w+)?$/i.test(file)),
        'no README is packed',
      );
    },
  },
];

export const packageCases: readonly PackageCase[] = [...manifestCases, ...packedCases, ...pluginCases];
