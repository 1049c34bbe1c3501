/** platen_helper.h: the only header that a helper includes, in each language and compiler that it promises. */
import { spawnSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { needs } from '@platen/conformance';
import t from 'tap';

const native = fileURLToPath(new URL('../native', import.meta.url));
const strict = ['-Wall', '-Wextra', '-Wpedantic', '-Werror', '-fsyntax-only', `-I${native}`];

const source = (empty: string): string => `#include "platen_helper.h"
static void list(const platen_request *request) {
  platen_json header = ${empty};
  platen_begin(&header, request, 0);
  platen_json_string(&header, "name", platen_arg_string(request, "name", "Flatbed"));
  platen_send(&header, NULL, 0);
}
static const platen_verb verbs[] = { { "list", list, 0 } };
int main(void) {
  platen_start("example", NULL);
  platen_serve(verbs, 1, NULL);
  return 0;
}
`;

const languages = [
  ['example.c', source('{0}'), ['-std=c99', '-std=gnu17']],
  ['example.cc', source('{}'), ['-std=c++11', '-std=c++17']],
] as const;

for (const [compiler, name] of [
  ['cc', 'example.c'],
  ['c++', 'example.cc'],
  ['x86_64-w64-mingw32-gcc-posix', 'example.c'],
  ['x86_64-w64-mingw32-g++-posix', 'example.cc'],
]) {
  void t.test(`platen_helper.h: alone in ${name}, compiles with ${compiler} without a warning`, async t => {
    if (!needs(t, compiler!)) return;
    const [file, text, standards] = languages.find(([each]) => each === name)!;
    const path = join(t.testdir(), file);
    writeFileSync(path, text);
    for (const standard of standards) {
      const { status, stderr } = spawnSync(compiler!, [standard, ...strict, path], { encoding: 'utf8' });
      t.equal(status, 0, `${standard} ${stderr}`);
    }
  });
}
