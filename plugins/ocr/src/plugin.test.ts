/** The plugin: its options, the choice of the engine, hangs, aborts, and a close that leaves nothing behind. */
import type { ChildProcess } from 'node:child_process';
import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { copyFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Worker } from 'node:worker_threads';
import { lacking } from '@platen/conformance';
import { nullLog, type Contributions, type Log } from '@platen/core/plugin';
import { Ajv } from 'ajv';
import t from 'tap';
import { dataFile, findLanguages } from './languages.js';
import type { OcrOptions } from './options.js';
import plugin from './plugin.js';
import { fakeProgram, isAlive, withoutScripts } from './programs.test.kit.js';
import type { ClosableRecogniser } from './recogniser.js';
import { calm, firstLines, firstText, samplePage } from './samples.test.kit.js';

const usual: OcrOptions = { engine: 'wasm', languages: ['eng'], pageSeconds: 120, program: 'tesseract' };

async function setUp(
  options: Partial<OcrOptions>,
  dataDir: string,
  more: { log?: Log; packageFolders?: readonly string[] } = {},
): Promise<Contributions & { ocr: ClosableRecogniser }> {
  const contributions = await plugin.setup({ options: { ...usual, ...options }, log: nullLog, dataDir, ...more });
  const [ocr] = contributions.recognisers ?? [];
  if (ocr?.kind !== 'ocr') throw new Error('there is no text recogniser');
  return { ...contributions, ocr: ocr as ClosableRecogniser };
}

t.test('optionsSchema: defaults, rejected values, and the same in README.md', async t => {
  const validate = new Ajv({ useDefaults: true, allErrors: true }).compile(plugin.optionsSchema!);
  const options = {};
  t.ok(validate(options));
  t.same(options, { engine: 'auto', languages: ['eng'], pageSeconds: 60, program: 'tesseract' });
  for (const wrong of [
    { engine: 'fast' },
    { languages: [] },
    { languages: 'eng' },
    { languages: ['../eng'] },
    { languages: ['eng', 'eng'] },
    { workers: 0 },
    { pageSeconds: 0 },
    { program: '' },
    { dpi: 300 },
  ]) {
    t.notOk(validate(wrong), JSON.stringify(wrong));
  }
  const { properties } = plugin.optionsSchema as {
    properties: Record<string, { description?: string; default?: unknown }>;
  };
  const readme = readFileSync(new URL('../README.md', import.meta.url), 'utf8');
  for (const [name, { description, default: usually }] of Object.entries(properties)) {
    t.ok(description, `${name} is described`);
    const row = readme.split('\n').find(line => line.startsWith(`| \`${name}\` |`));
    t.ok(
      row?.endsWith(
        usually === undefined
          ? '|'
          : `| ${typeof usually === 'number' ? usually : `\`${typeof usually === 'string' ? usually : JSON.stringify(usually)}\``} |`,
      ),
      `the README has ${name} and its default`,
    );
  }
});

t.test('setup: a language that is not installed, an error that says what to install', async t => {
  const dir = t.testdir();
  const message = /"platen plugins add --data @tesseract\.js-data\/deu"/;
  await t.rejects(setUp({ languages: ['eng', 'deu'] }, dir, { packageFolders: [dir] }), { message });
});

for (const engine of ['wasm', 'native'] as const) {
  t.test(
    `setup: a language package beside the configuration, read by ${engine}`,
    { skip: engine === 'native' && lacking('tesseract') },
    async t => {
      const dir = t.testdir();
      // English under another name, of which no package exists.
      const folder = join(dir, 'node_modules', '@tesseract.js-data', 'xyz', '4.0.0_best_int');
      mkdirSync(folder, { recursive: true });
      writeFileSync(
        join(folder, '..', 'package.json'),
        JSON.stringify({ name: '@tesseract.js-data/xyz', version: '1.0.0' }),
      );
      const [english] = await findLanguages(['eng'], { folders: [] });
      await copyFile(dataFile(english!), join(folder, 'xyz.traineddata.gz'));
      for (const languages of [['xyz'], ['xyz', 'eng']]) {
        const { ocr, close } = await setUp({ engine, languages }, dir, { packageFolders: [dir] });
        t.same(ocr.languages, languages);
        t.equal((await ocr.read(await firstLines(), {}, calm)).text, firstText);
        await close?.();
      }
    },
  );
}

t.test('engine: auto, the program where it can be used, otherwise wasm', { skip: withoutScripts }, async t => {
  const dir = t.testdir({ new: {}, old: {} });
  const said: string[] = [];
  const log: Log = { ...nullLog, info: message => void said.push(message) };
  const [program, old, none] = [
    fakeProgram(join(dir, 'new'), "console.log('tesseract 5.0.0')"),
    fakeProgram(join(dir, 'old'), "console.log('tesseract 3.0.5')"),
    join(dir, 'none'),
  ];
  await setUp({ engine: 'auto', program }, dir, { log });
  t.match(readdirSync(join(dir, 'ocr')).sort(), [/^data-/, 'pages'], 'its data is unpacked into the data folder');
  for (const each of [old, none]) await setUp({ engine: 'auto', program: each }, dir, { log });
  t.match(said, [/tesseract 5\.0\.0/, /wasm.*tesseract 3\.0\.5/, /wasm.*none" could not be run/]);
  await t.rejects(setUp({ engine: 'native', program: old }, dir), { message: /^options\.engine .*tesseract 3\.0\.5/ });
  t.same(
    (await setUp({ engine: 'wasm', program: none }, dir, { log })).ocr.languages,
    ['eng'],
    'wasm does not look for the program',
  );
  t.equal(said.length, 3);
});

t.test(
  'setup: pages of a killed service are removed; program, relative to the data folder',
  { skip: withoutScripts },
  async t => {
    const dir = t.testdir({ ocr: { pages: { 'left.tif': 'a page' } }, bin: {} });
    fakeProgram(join(dir, 'bin'), "console.log('tesseract 5.0.0')");
    await setUp({ engine: 'native', program: 'bin/tesseract.cjs' }, dir);
    t.same(readdirSync(join(dir, 'ocr', 'pages')), []);
  },
);

t.test(
  'pageSeconds: a program that hangs, its page rejects and its process is gone; the next page is read',
  { skip: withoutScripts || lacking('tesseract') },
  async t => {
    const dir = t.testdir({ stalls: '' });
    const program = fakeProgram(
      dir,
      `
    const { existsSync } = require('node:fs');
    const { spawn } = require('node:child_process');
    const args = process.argv.slice(2);
    if (args[0] === '--version' || !existsSync(${JSON.stringify(join(dir, 'stalls'))})) spawn('tesseract', args, { stdio: 'inherit' }).on('exit', code => process.exit(code));
    else setInterval(() => {}, 1000);`,
    );
    const hasty = await setUp({ engine: 'native', program, workers: 1, pageSeconds: 2 }, dir);
    const pids: (number | undefined)[] = [];
    const began = (message: unknown): void => void pids.push((message as { process: ChildProcess }).process.pid);
    subscribe('child_process', began);
    t.teardown(() => unsubscribe('child_process', began));
    await t.rejects(hasty.ocr.read(await firstLines(), {}, calm), {
      message: 'the engine was given up after 2 seconds',
    });
    await hasty.close?.();
    t.equal(pids.length, 1);
    t.equal(isAlive(pids[0]!), false);
    rmSync(join(dir, 'stalls'));
    const patient = await setUp({ engine: 'native', program, workers: 1 }, dir);
    t.equal((await patient.ocr.read(await firstLines(), {}, calm)).text, firstText);
    await patient.close?.();
  },
);

t.test('wasm: the thread is kept between pages, replaced after an abort or a time-out, gone after close', async t => {
  const threads: Worker[] = [];
  const count = (thread: Worker): void => void threads.push(thread);
  process.on('worker', count);
  t.teardown(() => process.off('worker', count));
  const alive = () => threads.filter(each => each.threadId !== -1).length;

  const { ocr, close } = await setUp({ workers: 1 }, t.testdir());
  t.equal(threads.length, 0, 'none before the first page');
  for (let i = 0; i < 2; i++) t.equal((await ocr.read(await firstLines(), {}, calm)).text, firstText);
  t.equal(threads.length, 1);
  const controller = new AbortController();
  const reason = new Error('the client has gone');
  const reading = ocr.read(await samplePage('report'), {}, { signal: controller.signal });
  setImmediate(() => controller.abort(reason));
  await t.rejects(reading, reason);
  t.equal((await ocr.read(await firstLines(), {}, calm)).text, firstText);
  t.same([threads.length, alive()], [2, 1]);
  await close?.();
  t.equal(alive(), 0);
  await t.rejects(ocr.read(await firstLines(), {}, calm), { message: 'text recognition has ended' });

  const hasty = await setUp({ workers: 1, pageSeconds: 0.001 }, t.testdir());
  await t.rejects(hasty.ocr.read(await samplePage('report'), {}, calm), {
    message: 'the engine was given up after 0.001 seconds',
  });
  await hasty.close?.();
  t.equal(alive(), 0);
});

t.test('close: in the middle of pages, threads and processes end', async t => {
  const threads: Worker[] = [];
  const count = (thread: Worker): void => void threads.push(thread);
  process.on('worker', count);
  t.teardown(() => process.off('worker', count));
  for (const engine of lacking('tesseract') ? (['wasm'] as const) : (['wasm', 'native'] as const)) {
    const { ocr, close } = await setUp({ engine, workers: 1 }, t.testdir());
    const page = await samplePage('report');
    const readings = [ocr.read(page, {}, calm), ocr.read(page, {}, calm)].map(each =>
      t.rejects(each, { message: 'text recognition has ended' }),
    );
    await new Promise(resolve => setImmediate(resolve));
    await Promise.all([close?.(), ...readings]);
  }
  t.same(
    threads.map(each => each.threadId),
    [-1],
  );
});
