import { readFile } from 'node:fs/promises';
import t from 'tap';
import { schemaFiles, schemaText } from './schemaFiles.js';

t.test('schema files: each equals its schema', async t => {
  for (const { file, schema } of schemaFiles) {
    const hint = `${file.pathname} is not up to date: node server/dist/machine/config/schemaFiles.js writes it`;
    t.equal(await readFile(file, 'utf8'), schemaText(schema), hint);
  }
});
