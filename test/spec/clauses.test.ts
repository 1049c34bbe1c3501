/** Every clause has a test; titles are what a reader needs to find them. */
import { readFile } from 'node:fs/promises';
import t from 'tap';
import { desktopTopology } from '../topology/desktopTopology.js';
import { icaTopology } from '../topology/icaTopology.js';
import { saneTopology } from '../topology/saneTopology.js';
import { clauses, type Clause, type ClauseId } from './clauses.js';
import { sections } from './sections.js';

const tests = Object.values(sections).flat();
const known = Object.entries(clauses) as [ClauseId, Clause][];

for (const [id, { says, shownBy }] of known) {
  const cited = tests.filter(test => test.clauses.includes(id)).map(test => test.title);
  if (shownBy) {
    const [file, title] = shownBy;
    // The compiled tests have the folders of their sources.
    const text = await readFile(new URL(`../../${file}`, import.meta.url), 'utf8');
    t.ok(text.includes(`t.test('${title}`), `${id} (${says}): ${title}, in ${file}`);
  } else t.ok(cited.length > 0, `${id} (${says}): ${cited.join(' | ')}`);
}

t.test('gaps of a topology are gaps in tests that there are', async t => {
  for (const title of [desktopTopology, icaTopology, saneTopology].flatMap(({ gaps = {} }) => Object.keys(gaps))) t.ok(tests.some(test => test.title === title), title);
});

t.test('titles', async t => {
  const titles = new Set<string>();
  const headings = /^(What the service does|Resources|States|Endpoints|Authentication|Events|Errors|Limits|Versioning)[,:] /;
  for (const { title, clauses: cited } of tests) {
    t.match(title, headings, 'opens with a section of the interface document');
    t.notOk(titles.has(title), `is unique: ${title}`);
    t.ok(cited.length > 0 && cited.every(id => id in clauses), `cites clauses that exist: ${title}`);
    titles.add(title);
  }
});
