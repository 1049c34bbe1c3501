/**
 * Builds deflate.wasm from deflate.c, with Debian's clang 14 and lld: `node plugins/format-png/encoder/build.mjs [FILE]`.
 * The file is in the repository, so that nobody needs a compiler; a test proves that it is what the source makes.
 */
import { execFileSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';

const place = name => fileURLToPath(new URL(name, import.meta.url));
const [file = place('deflate.wasm')] = process.argv.slice(2);
execFileSync(
  'clang-14',
  [
    ...['--target=wasm32', '-O3', '-msimd128', '-mbulk-memory', '-ffreestanding', '-nostdlib'],
    ...['-Wall', '-Wextra', '-Werror', '-Wl,--no-entry', '-Wl,--strip-all', '-Wl,-z,stack-size=65536'],
    ...['-o', file, place('deflate.c')],
  ],
  { stdio: 'inherit' },
);
