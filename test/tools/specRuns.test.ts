import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import t from 'tap';
import { commandOf, specRuns, specSections } from './specRuns.js';

const clone = fileURLToPath(new URL('../../..', import.meta.url));

t.test(
  'specRuns: a clone has one for each run of the table, and one a section; a folder without them none',
  async t => {
    const runs = specRuns(clone);
    t.ok(runs.includes('test/dist/spec/desktopIsolated/cancelling.long'), runs.join(' '));
    t.ok(specSections(clone).includes('test/dist/spec/virtual/autoscan'));
    t.same(
      runs.filter(each => specSections(clone).includes(each)),
      [],
      'no run has the name of a section',
    );
    t.same([...specRuns(t.testdir()), ...specSections(t.testdir())], []);
  },
);

t.test('commandOf: a run is the program with two arguments, a compiled test is itself', async t => {
  for (const name of [...specRuns(clone), ...specSections(clone)]) {
    const [program = '', ...args] = commandOf(name);
    t.ok(existsSync(join(clone, program)), program);
    t.equal(`test/dist/spec/${args.join('/')}`, name);
  }
  t.same(commandOf('test/dist/spec/clauses.test.js'), ['test/dist/spec/clauses.test.js']);
});
