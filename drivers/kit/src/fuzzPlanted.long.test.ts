/** `platen-fuzz` finds what is planted in copies of the kit's parser. */
import { cpSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { needs } from '@platen/conformance';
import t from 'tap';
import { compilers, fuzz, packageOf, parser, room } from './fuzz.test.kit.js';

/** One wrong place in the parser each: the line as it is, and what becomes of it. */
const plants: readonly (readonly [what: string, file: string, was: string, is: string])[] = [
  ['one argument too many', 'platen_json.h', '*count == PLATEN_MAX_ARGS', '*count > PLATEN_MAX_ARGS'],
  ['a string without an end', 'platen_json.h', 'if (c < 0x20) return NULL;', 'if (c < 0x20 && c) return NULL;'],
  ['control characters in an answer', 'platen_json.h', "*at < 0x20 || *at == '\"'", "*at < 0x09 || *at == '\"'"],
  ['headers of any length', 'platen_frames.h', ' && whole <= PLATEN_HEADER_MAX', ''],
  ['the wrong end of a number', 'platen_helper.h', 'number >= INT_MAX ? INT_MAX : ', ''],
  ['a request that is not freed', 'platen_helper.h', '  free(request->line);\n', ''],
];

for (const [at, [what, file, was, is]] of plants.entries()) {
  for (const compiler of at < 1 ? compilers : ['gcc']) {
    void t.test(`planted in the parser: ${what}, ${compiler} finds it`, async t => {
      if (!needs(t, compiler)) return;
      const folder = packageOf(t, parser);
      const kit = join(folder, 'kit');
      for (const part of ['bin', 'native']) cpSync(room(part), join(kit, part), { recursive: true });
      const path = join(kit, 'native', file);
      const text = readFileSync(path, 'utf8');
      t.ok(text.includes(was), 'the line is there');
      writeFileSync(path, text.replace(was, is));
      const seconds = is === '' ? '3' : '300'; // gcc's own main sees what is not freed at its end
      const { status, said } = await fuzz(folder, ['--seconds', seconds, '--seed', '2', '--compiler', compiler], kit);
      t.equal(status, 1, said);
      t.match(said, /Found with seed 2\./);
    });
  }
}
