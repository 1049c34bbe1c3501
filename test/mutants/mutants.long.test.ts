/** Mutants that break a promise plainly: the driver suite catches each. */
import t from 'tap';
import { plainMutants, tryMutant } from './plainMutants.js';

for (const mutant of plainMutants())
  t.test(`${mutant.path}:${mutant.line} ${mutant.was} -> ${mutant.is}`, async t => {
    t.ok((await tryMutant(mutant)).failed);
  });
