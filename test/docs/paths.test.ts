/** Each path of this repository that a document names in backticks exists. */
import { existsSync } from 'node:fs';
import { join, posix } from 'node:path';
import t from 'tap';
import { specRuns, specSections } from '../tools/specRuns.js';
import { clone, pages, read, withoutBlocks } from './pages.js';

/** A path from the clone's folder: a room of it, then at least one `/`. */
const path = /^(?:core|plugins|drivers|server|clients|docs|setup|test|\.ci|\.github)\/[\w.@/-]+$/;
const runs = [...specRuns(clone), ...specSections(clone)].map(run => run.replace('test/dist/', 'test/'));

const exists = (page: string, named: string): boolean =>
  existsSync(join(clone, named)) ||
  existsSync(join(clone, posix.dirname(page), named)) ||
  // The name of a run of the interface's sections is a path only for `npm test`.
  runs.some(run => run.startsWith(named));

t.test('documents: each path in backticks exists', async t => {
  const named = pages.flatMap(page =>
    [...withoutBlocks(read(page)).matchAll(/`([^`\n]+)`/g)]
      .map(([, code = '']) => ({ page, code }))
      .filter(({ code }) => path.test(code)),
  );
  t.ok(named.length > 60);
  t.same(
    named.filter(({ page, code }) => !exists(page, code)).map(({ page, code }) => `${page}: ${code}`),
    [],
  );
});
