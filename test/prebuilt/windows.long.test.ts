/** TWAIN's helpers for Windows: need only Windows' own libraries, start, and are built the same each time. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { buffer, text } from 'node:stream/consumers';
import { needsWine, startWine } from '@platen/driver-twain-windows/wine';
import t from 'tap';
import { build, clone, helpers, needsMingw, printed } from './prebuilt.test.kit.js';

const name = 'driver-twain-windows-win32-x64';
const programs = ['x64', 'x86'].map(bits => ({
  bits,
  file: join(helpers.helpersFolder, name, 'bin', `platen-twain-helper-${bits}.exe`),
}));

t.test('Windows: libraries of every Windows, address randomisation, no time stamp, no path', async t => {
  if (!needsMingw(t)) return;
  await build(helpers.helpersFolder, [name]);
  for (const { bits, file } of programs) {
    const facts = await printed('x86_64-w64-mingw32-objdump', ['-p', file]);
    const libraries = [...facts.matchAll(/DLL Name: (\S+)/g)].map(([, library]) => library!.toLowerCase());
    t.same(libraries.sort(), ['kernel32.dll', 'msvcrt.dll', 'ole32.dll', 'user32.dll'], bits);
    t.match(facts, /DYNAMIC_BASE/, bits);
    t.match(facts, /NX_COMPAT/, bits);
    const bytes = readFileSync(file);
    // The header's TimeDateStamp, 8 bytes after the signature whose place is at 0x3c.
    t.equal(bytes.readUInt32LE(bytes.readUInt32LE(0x3c) + 8), 0, bits);
    t.notOk(bytes.includes(clone.replace(/\/$/, '')), bits);
  }
});

t.test('Windows: built again, the same bytes', async t => {
  if (!needsMingw(t)) return;
  const again = t.testdir({});
  await build(again, ['win32-ia32']); // one of the two: they take long
  const { file } = programs.find(({ bits }) => bits === 'x86')!;
  t.ok(readFileSync(file).equals(readFileSync(join(again, name, 'bin', basename(file)))));
});

t.test('Windows: both say hello', async t => {
  if (!needsMingw(t) || !needsWine(t)) return;
  const wine = await startWine();
  t.teardown(() => wine.dispose());
  for (const { bits, file } of programs) {
    const child = spawn('wine', [file], { env: wine.env });
    child.stdin.end();
    const [output, errors, [code]] = await Promise.all([
      buffer(child.stdout),
      text(child.stderr),
      once(child, 'exit') as Promise<[number | null]>,
    ]);
    t.equal(code, 0, `${bits}: ${errors}`);
    t.same(JSON.parse(output.subarray(8, 8 + output.readUInt32LE(0)).toString()), {
      hello: { name: 'twain', protocol: 1, version: bits },
    });
  }
});
