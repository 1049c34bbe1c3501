/** Processes of the installed program: what they are told, what becomes of one that fails or hangs, and that none is left over. */
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import t from 'tap';
import { nativeEngine, nativeVersion } from './nativeEngine.js';
import type { PageImage } from './pageImage.js';
import { fakeProgram, isAlive, withoutScripts } from './programs.test.kit.js';

const image = (): PageImage => ({ data: new Uint8Array(3_000_000).fill(7), dpi: 240 });
const settings = { dataFolder: '/data of mine', languages: ['eng', 'deu'] };

t.test('a program that is not there, or cannot be used, says why', async t => {
  t.match(await nativeVersion(join(t.testdir(), 'nowhere')), { why: /^".*nowhere" could not be run \(.*ENOENT/ });
  const reader = nativeEngine({ ...settings, program: join(t.testdir(), 'nowhere') }).start();
  await t.rejects(reader.read(image()), { message: /could not be run/ });
  await reader.end();
});

t.test('versions', { skip: withoutScripts }, async t => {
  const version = (says: string, more = '') => nativeVersion(fakeProgram(t.testdir(), `console.log(${JSON.stringify(says)});${more}`));
  t.same(await version('tesseract 5.3.0\n leptonica-1.82.0'), { version: 'tesseract 5.3.0' });
  t.same(await version('tesseract v4.1.1.20190314'), { version: 'tesseract v4.1.1.20190314' });
  t.same(await version('tesseract 3.05.02'), { why: 'it is tesseract 3.05.02, and 4 is needed' });
  t.same(await version('a quite different program'), { why: 'it does not say a version of Tesseract' });
  t.match(await version('', 'process.exit(1)'), { why: /ended with code 1$/ });
});

t.test('what it is told: the image on its input, the resolution, the data, one thread', { skip: withoutScripts }, async t => {
  const program = fakeProgram(t.testdir(), `
    const { readFileSync } = require('node:fs');
    const input = readFileSync(0);
    console.log(JSON.stringify({ args: process.argv.slice(2), bytes: input.length, last: input.at(-1), threads: process.env.OMP_THREAD_LIMIT }));`);
  const reader = nativeEngine({ ...settings, program }).start();
  const args = ['stdin', 'stdout', '--tessdata-dir', '/data of mine', '-l', 'eng+deu', '--oem', '1', '--psm', '3', '--dpi', '240', '-c', 'tessedit_create_tsv=1'];
  t.same(JSON.parse(await reader.read(image())), { args, bytes: 3_000_000, last: 7, threads: '1' });
  t.same(JSON.parse(await reader.read(image())).bytes, 3_000_000, 'and again');
  await reader.end();
});

t.test('a program that fails is an error with its last words', { skip: withoutScripts }, async t => {
  const failing = async (body: string) => nativeEngine({ ...settings, program: fakeProgram(t.testdir(), body) }).start().read(image());
  await t.rejects(failing("console.error('Estimating'); console.error('no data for deu'); process.exit(1);"), { message: /tesseract\.cjs" ended with code 1 \(no data for deu\)$/ });
  await t.rejects(failing('process.exit(2);'), { message: /ended with code 2$/ }, 'it did not even read its input');
  await t.rejects(failing("process.kill(process.pid, 'SIGSEGV');"), { message: /ended with SIGSEGV$/ });
});

t.test('a program that hangs is killed, and gone when the reader has ended', { skip: withoutScripts }, async t => {
  const dir = t.testdir();
  const note = join(dir, 'pid');
  writeFileSync(note, '');
  const program = fakeProgram(dir, `require('node:fs').writeFileSync(${JSON.stringify(note)}, String(process.pid)); process.on('SIGTERM', () => {}); setInterval(() => {}, 1000);`);
  const reader = nativeEngine({ ...settings, program }).start();
  const reading = reader.read(image());
  reading.catch(() => undefined);
  while (!existsSync(note) || readFileSync(note, 'utf8') === '') await new Promise(resolve => setTimeout(resolve, 5));
  const pid = Number(readFileSync(note, 'utf8'));
  t.equal(isAlive(pid), true);
  await reader.end();
  t.equal(isAlive(pid), false);
  await t.rejects(reading, { message: /ended with SIGKILL$/ });
});
