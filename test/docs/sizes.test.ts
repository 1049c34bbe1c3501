/** The sizes of scripts in the documents are those of the scripts. */
import t from 'tap';
import { statedSizes } from '../bench/statedSizes.js';

t.test('documents: a script is as large as they say', async t => {
  for (const { file, said, is } of statedSizes())
    // Rounded, and another Node compresses a little differently.
    t.ok(Math.abs(said - is) < 0.7, `${file}: ${said} kB, it is ${is}: npm run bench -- --only browser`);
});
