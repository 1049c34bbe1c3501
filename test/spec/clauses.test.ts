/** Every clause has a test, and titles name their section. */
import { readFile } from 'node:fs/promises';
import t from 'tap';
import { clauses, type Clause, type ClauseId } from './clauses.js';
import { scanners, type Scanners, type Section } from './scanners.js';
import { sections } from './sections.js';

const tests = Object.values(sections).flat();
const known = Object.entries(clauses) as [ClauseId, Clause][];

const runs = Object.values<Scanners>(scanners).flatMap(each => Object.entries(each.runs));
/** Sections that `npm test` runs over some scanners. */
const usual = new Set(runs.flatMap(([run, its]) => (run.endsWith('.long') ? [] : its)));
const usuallyShown = new Set(
  Object.entries(sections).flatMap(([section, its]) =>
    usual.has(section as Section) ? its.flatMap(test => test.clauses) : [],
  ),
);

for (const [id, { says, shownBy, isLong = false }] of known) {
  const isUsual = usuallyShown.has(id) || (shownBy !== undefined && !shownBy[0].endsWith('.long.test.ts'));
  t.equal(isLong, !isUsual, `${id} (${says}): marked, if only long tests show it`);
  const cited = tests.filter(test => test.clauses.includes(id)).map(test => test.title);
  if (shownBy) {
    const [file, title] = shownBy;
    // The compiled tests have the folders of their sources.
    const text = await readFile(new URL(`../../${file}`, import.meta.url), 'utf8');
    t.ok(text.includes(`t.test('${title}`), `${id} (${says}): ${title}, in ${file}`);
  } else t.ok(cited.length > 0, `${id} (${says}): ${cited.join(' | ')}`);
}

t.test('scanners: each gap is the title of a test', async t => {
  for (const { gaps = {} } of Object.values<Scanners>(scanners)) {
    for (const title of Object.keys(gaps))
      t.ok(
        tests.some(test => test.title === title),
        title,
      );
  }
});

t.test('scanners: each section is run over some of them', async t => {
  const run = new Set(Object.values<Scanners>(scanners).flatMap(({ runs }) => Object.values(runs).flat()));
  for (const section of Object.keys(sections)) t.ok(run.has(section as Section), section);
});

t.test('titles', async t => {
  const titles = new Set<string>();
  const headings =
    /^(What the service does|Resources|States|Endpoints|Authentication|Events|Errors|Limits|Versioning|Scans)[,:] /;
  for (const { title, clauses: cited } of tests) {
    t.match(title, headings, 'opens with a section of the interface document');
    t.notOk(titles.has(title), `is unique: ${title}`);
    t.ok(cited.length > 0 && cited.every(id => id in clauses), `cites clauses that exist: ${title}`);
    titles.add(title);
  }
});
