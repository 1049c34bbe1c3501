/** A missing program skips on a person's machine and fails in CI. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import t from 'tap';
import { lacking, needs } from './needs.js';

function recorder() {
  const results: string[] = [];
  return {
    results,
    skip: (sentence: string) => results.push(`skip: ${sentence}`),
    fail: (sentence: string) => results.push(`fail: ${sentence}`),
  };
}

t.test('needs: program on the path, true without a skip', async t => {
  const folder = t.testdir();
  writeFileSync(join(folder, 'scanimage'), '');
  const test = recorder();
  t.equal(needs(test, 'scanimage', { PATH: folder, CI: 'true' }), true);
  t.same(test.results, []);
});

t.test('needs: program missing, a skip with a sentence', async t => {
  const test = recorder();
  t.equal(needs(test, 'scanimage', { PATH: t.testdir() }), false);
  t.same(test.results, ['skip: needs scanimage, which this machine does not have']);
});

t.test('needs: program missing in CI, a failure', async t => {
  const test = recorder();
  t.equal(needs(test, 'scanimage', { PATH: t.testdir(), CI: 'true' }), false);
  t.match(test.results, [/^fail: .*scanimage/]);
});

t.test('needs: a file instead of a program, and a sentence of the caller', async t => {
  const folder = t.testdir({ helper: '' });
  t.equal(lacking(join(folder, 'helper'), {}), false);
  t.match(lacking(join(folder, 'none'), {}), /^needs \/.*none, which this machine does not have$/);
  t.throws(() => lacking(join(folder, 'none'), { CI: 'true' }), /CI must have it/);
});
