/** A page that tells people to take a package of ours from npm says that it is not there yet, until it is. */
import t from 'tap';
import { pages, read } from './pages.js';

/** A command or an import of a person outside this clone. */
const fromNpm =
  /\bnpm (?:create|init|i|install|exec)\b[^\n`]*@platen\/|\bnpx @platen\/|\bplugins add @platen\/|from '@platen\/client/;
const note = /not (?:yet\s+)?published|[Nn]o\s+version\s+is\s+published/;

/** They report what was measured or is tested, with a registry on loopback. */
const reports = new Set(['test/bench/README.md', 'test/README.md', 'CHANGELOG.md', 'docs/api/client.md']);
const instructions = pages.filter(
  page => !reports.has(page) && !page.startsWith('drivers/create/templates/') && fromNpm.test(read(page)),
);

t.test('documents: the page says whether the packages that it names are published', async t => {
  t.ok(instructions.length > 8);
  const unpublished = note.test(read('README.md'));
  t.same(
    instructions.filter(page => note.test(read(page)) !== unpublished),
    [],
    unpublished
      ? 'say in each that no version is published yet'
      : 'README.md says that the packages are published: take the note out of each',
  );
});
