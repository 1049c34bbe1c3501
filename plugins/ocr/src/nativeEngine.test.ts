/** The installed program's processes: their arguments, failures and hangs, and that they leave nothing behind. */
import { existsSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import t, { type Test } from 'tap';
import { nativeEngine, nativeVersion } from './nativeEngine.js';
import type { PageImage } from './pageImage.js';
import { fakeProgram, isAlive, withoutScripts } from './programs.test.kit.js';

const image = (): PageImage => ({ file: new Uint8Array(300_000).fill(7), width: 500, height: 600, dpi: 240 });

/** @param body of the program */
function engine(t: Test, body: string) {
  const folder = t.testdir({ pages: {} });
  const engine = nativeEngine({
    program: fakeProgram(folder, body),
    folder,
    data: 'data of mine',
    pages: 'pages',
    languages: ['eng', 'deu'],
  });
  return { reader: engine.start(), folder, left: () => readdirSync(join(folder, 'pages')) };
}

t.test('nativeVersion, read: a missing program, ENOENT', async t => {
  const folder = t.testdir({ pages: {} });
  const program = join(folder, 'nowhere');
  t.match(await nativeVersion(program), { why: /^".*nowhere" could not be run \(.*ENOENT/ });
  const reader = nativeEngine({ program, folder, data: '', pages: 'pages', languages: ['eng'] }).start();
  await t.rejects(reader.read(image()), { message: /could not be run/ });
  await reader.end();
  t.same(readdirSync(join(folder, 'pages')), []);
});

t.test('nativeVersion: versions 4 and 5 accepted, anything else refused', { skip: withoutScripts }, async t => {
  const version = (says: string, more = '') =>
    nativeVersion(fakeProgram(t.testdir(), `console.log(${JSON.stringify(says)});${more}`));
  t.same(await version('tesseract 5.3.0\n leptonica-1.82.0'), { version: 'tesseract 5.3.0' });
  t.same(await version('tesseract v4.1.1.20190314'), { version: 'tesseract v4.1.1.20190314' });
  t.same(await version('tesseract 3.05.02'), { why: 'it is tesseract 3.05.02, and 4 is needed' });
  t.same(await version('a quite different program'), { why: 'it does not print a version of Tesseract' });
  t.match(await version('', 'process.exit(1)'), { why: /ended with code 1$/ });
});

t.test('read: the arguments, the page file and one thread', { skip: withoutScripts }, async t => {
  const { reader, left } = engine(
    t,
    `
    const { readFileSync, statSync } = require('node:fs');
    const [page, ...args] = process.argv.slice(2);
    const bytes = readFileSync(page);
    console.log(JSON.stringify({ page, args, bytes: bytes.length, last: bytes.at(-1), mode: statSync(page).mode & 0o777, threads: process.env.OMP_THREAD_LIMIT }));`,
  );
  const args = [
    'stdout',
    '--tessdata-dir',
    'data of mine',
    '-l',
    'eng+deu',
    '--oem',
    '1',
    '--psm',
    '3',
    '--dpi',
    '240',
    '-c',
    'tessedit_create_tsv=1',
  ];
  const names = new Set<string>();
  for (let i = 0; i < 2; i++) {
    const { page, ...told } = JSON.parse(await reader.read(image())) as { page: string };
    t.same(told, { args, bytes: 300_000, last: 7, mode: 0o600, threads: '1' });
    names.add(page);
    t.same(left(), [], 'the page file is removed after reading');
  }
  t.equal(names.size, 2);
  await reader.end();
});

t.test('read: a program that fails, an error with its last line', { skip: withoutScripts }, async t => {
  for (const [body, says] of [
    [
      "console.error('Estimating'); console.error('no data for deu'); process.exit(1);",
      /tesseract\.cjs" ended with code 1 \(no data for deu\)$/,
    ],
    ['process.exit(2);', /ended with code 2$/],
    ["process.kill(process.pid, 'SIGSEGV');", /ended with SIGSEGV$/],
  ] as const) {
    const { reader, left } = engine(t, body);
    await t.rejects(reader.read(image()), { message: says });
    t.same(left(), []);
  }
});

t.test('read: a page file that cannot be written, an error', { skip: withoutScripts }, async t => {
  const { reader, folder } = engine(t, '');
  rmSync(join(folder, 'pages'), { recursive: true });
  await t.rejects(reader.read(image()), { code: 'ENOENT' });
  await reader.end();
});

t.test('end: a program that hangs, killed with its page file removed', { skip: withoutScripts }, async t => {
  const { reader, folder, left } = engine(
    t,
    `
    require('node:fs').writeFileSync('pid.part', String(process.pid));
    require('node:fs').renameSync('pid.part', 'pid');
    process.on('SIGTERM', () => {});
    setInterval(() => {}, 1000);`,
  );
  const reading = t.rejects(reader.read(image()), { message: /ended with SIGKILL$/ });
  while (!existsSync(join(folder, 'pid'))) await new Promise(resolve => setTimeout(resolve, 5));
  const pid = Number(readFileSync(join(folder, 'pid'), 'utf8'));
  t.equal(isAlive(pid), true);
  t.equal(left().length, 1);
  await reader.end();
  t.equal(isAlive(pid), false);
  t.same(left(), []);
  await reading;
});

t.test('end: before the page file is written, no process is started', { skip: withoutScripts }, async t => {
  const { reader, folder, left } = engine(t, "require('node:fs').mkdirSync('started');");
  const reading = t.rejects(reader.read(image()), { message: 'the engine has ended' });
  await reader.end();
  await reading;
  t.same(left(), []);
  t.equal(existsSync(join(folder, 'started')), false);
});
