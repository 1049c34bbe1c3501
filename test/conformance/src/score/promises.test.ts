/** Each case has its promise, and the documentation has the weights of the code. */
import { readFileSync } from 'node:fs';
import t from 'tap';
import { type PackageSuite, suiteKinds, withCases } from '../packageCases.js';
import { tableOf } from '../readmeTables.js';
import { packageCases } from './packageCases.js';
import { promiseOf, promises } from './promises.js';

const documentation = readFileSync(new URL('../../../../docs/conformance.md', import.meta.url), 'utf8');
const idsOf = (kind: PackageSuite['kind']): string[] =>
  withCases({ kind } as PackageSuite, cases => cases.map(each => each.id));

t.test('promiseOf: every case of every suite, a promise of its own kind', async t => {
  for (const kind of suiteKinds) {
    const astray = idsOf(kind).filter(id => promiseOf(id) === 'other');
    t.same(astray, [], kind);
  }
  t.same(new Set(packageCases.map(({ id }) => promiseOf(id))), new Set(['package']));
});

t.test('promiseOf: a number that no promise has, a case among the others', async t => {
  t.equal(promiseOf('11-scans-itself'), 'other');
  t.equal(promiseOf('10-sheets-is-exact'), '10');
});

t.test('promises: none without a case, but for the others', async t => {
  const used = new Set([...suiteKinds.flatMap(idsOf), ...packageCases.map(({ id }) => id)].map(promiseOf));
  t.same(
    promises.map(({ id }) => id).filter(id => !used.has(id)),
    ['other'],
  );
});

t.test('documentation: the weights, titles and reasons of the code', async t => {
  t.strictSame(
    tableOf(documentation, 'Weights'),
    promises.map(({ id, weight, title, reason }) => [id, String(weight), title, reason]),
  );
});

t.test('documentation: the cases of the package', async t => {
  t.strictSame(
    tableOf(documentation, 'The package'),
    packageCases.map(({ id, title }) => [id, title.replaceAll('`', '')]),
  );
});
