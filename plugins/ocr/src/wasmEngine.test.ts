/** The bundled engine's threads: whatever fails, hangs or dies in them costs a page and never the process. */
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { isBuiltin } from 'node:module';
import { dirname, join } from 'node:path';
import t, { type Test } from 'tap';
import { findLanguages } from './languages.js';
import type { PageImage } from './pageImage.js';
import { pageImage } from './pageImage.js';
import { pageParagraphs, pageText } from './pageText.js';
import { firstLines, firstText, samplePage } from './samples.test.kit.js';
import { wasmEngine, workerScript } from './wasmEngine.js';

const english = await findLanguages(['eng'], { folders: [] });
const note = async (): Promise<PageImage> => (await pageImage(await firstLines()))!;

/** A thread that starts as Tesseract's does and then does something else. */
function script(t: Test, { onLoad = '', onRead = '' }): string {
  const file = join(t.testdir(), 'thread.cjs');
  writeFileSync(
    file,
    `
    const { parentPort } = require('node:worker_threads');
    parentPort.on('message', ({ jobId, action, payload }) => {
      const answer = (status, data) => parentPort.postMessage({ jobId, action, status, data });
      answer('progress', { progress: 0 });
      if (action === 'load') { ${onLoad} }
      if (action === 'recognize') { ${onRead} }
      answer('resolve', { tsv: JSON.stringify({ action, options: payload.options }) });
    });
  `,
  );
  return file;
}

t.test('workerScript: bundled from the pinned version, with the notices of what is in it', t => {
  const moved = 'tesseract.js moved its worker script: see workerScript in wasmEngine.ts before you update it';
  t.ok(existsSync(workerScript()), moved);
  const { devDependencies } = JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8'));
  const version = devDependencies['tesseract.js'];
  t.match(version, /^\d+\.\d+\.\d+$/, 'an exact version: a range would let an install move the script');
  const notices = readFileSync(join(dirname(workerScript()), 'NOTICES.md'), 'utf8');
  for (const named of ['tesseract.js', 'tesseract.js-core'])
    t.match(notices, `## ${named} ${version} (Apache-2.0)`, 'run "npm run build"');
  t.match(notices, 'Apache License');
  t.end();
});

t.test('workerScript: needs nothing but Node and the files beside it', t => {
  const required = [...readFileSync(workerScript(), 'utf8').matchAll(/\brequire\("([^"]+)"\)/g)].map(
    ([, name = '']) => name,
  );
  // Without a neural network, or without a global fetch: neither happens.
  const unused = [
    'node-fetch',
    './tesseract-core.cjs',
    './tesseract-core-simd.cjs',
    './tesseract-core-relaxedsimd.cjs',
  ];
  t.same(
    required.filter(
      name => !unused.includes(name) && !isBuiltin(name) && !existsSync(join(dirname(workerScript()), name)),
    ),
    [],
  );
  t.ok(required.some(name => name.endsWith('-lstm.cjs')));
  t.end();
});

t.test('read: the same page twice in one thread, the same result', async t => {
  const reader = wasmEngine(english).start();
  t.teardown(() => reader.end());
  const tables = [await reader.read(await note()), await reader.read(await note())];
  t.equal(tables[0], tables[1]);
  t.equal(pageText(pageParagraphs(tables[0]!)), firstText);
});

t.test('read: the resolution, passed to Tesseract', async t => {
  const reader = wasmEngine(english, script(t, {})).start();
  t.teardown(() => reader.end());
  t.match(JSON.parse(await reader.read({ ...(await note()), dpi: 240 })), { options: { user_defined_dpi: '240' } });
});

t.test('read: missing or broken language data, an error', async t => {
  const dir = t.testdir({ 'eng.traineddata.gz': 'no gzip at all' });
  for (const [folder, says] of [
    [dir, /^the engine failed \(/],
    [join(dir, 'nowhere'), /^the engine failed \(.*ENOENT/],
  ] as const) {
    const reader = wasmEngine([{ code: 'eng', folder, origin: '' }]).start();
    await t.rejects(reader.read(await note()), { message: says });
    await reader.end();
  }
});

t.test('read: bytes that are not an image, an error', async t => {
  const reader = wasmEngine(english).start();
  t.teardown(() => reader.end());
  await t.rejects(reader.read({ file: new Uint8Array(100), width: 10, height: 10, dpi: 300 }), {
    message: /^the engine failed \(/,
  });
});

t.test('read: a thread that dies at its start or over a page, an error now and later', async t => {
  const dying = { onLoad: "throw new Error('out of memory');" };
  for (const [how, says] of [
    [dying, "the engine's thread failed (out of memory)"],
    [{ onRead: dying.onLoad }, "the engine's thread failed (out of memory)"],
    [{ onRead: 'process.exit(3);' }, "the engine's thread ended"],
    [{ onLoad: "Promise.reject(new Error('no such core')); return;" }, "the engine's thread failed (no such core)"],
  ] as const) {
    const reader = wasmEngine(english, script(t, how)).start();
    await t.rejects(reader.read(await note()), { message: says });
    await t.rejects(reader.read(await note()), { message: says });
    await reader.end();
  }
  const reader = wasmEngine(english, join(t.testdir(), 'nowhere.cjs')).start();
  await t.rejects(reader.read(await note()), { message: /^the engine's thread failed \(Cannot find module/ });
});

t.test('end: a thread that hangs, ended; its page rejects', async t => {
  const reader = wasmEngine(english, script(t, { onRead: 'for (;;);' })).start();
  const reading = reader.read(await note());
  const [ended] = await Promise.allSettled([
    reader.end(),
    t.rejects(reading, { message: "the engine's thread ended" }),
  ]);
  t.equal(ended.status, 'fulfilled');
});

t.test('end: in the middle of a page, Tesseract ended; its page rejects', async t => {
  const reader = wasmEngine(english).start();
  await reader.read(await note());
  const reading = reader.read((await pageImage(await samplePage('report')))!);
  await Promise.all([reader.end(), t.rejects(reading, { message: "the engine's thread ended" })]);
});
