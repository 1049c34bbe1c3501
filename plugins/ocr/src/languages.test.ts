/** Languages are packages: found where plugins are installed, named with what to install where they are not. */
import { mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { readdir, readFile, stat, truncate } from 'node:fs/promises';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import t from 'tap';
import { dataFile, findLanguages } from './languages.js';
import { unpackedData } from './unpackedData.js';

/** A folder with packages of language data in it. */
function installation(dir: string, packages: Readonly<Record<string, readonly string[]>>, content = 'some data'): string {
  for (const [code, kinds] of Object.entries(packages)) {
    const folder = join(dir, 'node_modules', '@tesseract.js-data', code);
    mkdirSync(folder, { recursive: true });
    writeFileSync(join(folder, 'package.json'), JSON.stringify({ name: `@tesseract.js-data/${code}`, version: '1.2.3', main: 'index.js' }));
    for (const kind of kinds) {
      mkdirSync(join(folder, kind));
      writeFileSync(join(folder, kind, `${code}.traineddata.gz`), gzipSync(`${content} of ${code}`));
    }
  }
  return dir;
}

t.test('English comes with the plugin', async t => {
  const [english] = await findLanguages(['eng'], { folders: [] });
  t.match(english, { code: 'eng', origin: '@tesseract.js-data/eng@1.0.0/4.0.0_best_int' });
  t.same([...readFileSync(dataFile(english!)).subarray(0, 2)], [0x1f, 0x8b]);
});

t.test('a language is found in the first folder that has its package, or above it', async t => {
  const first = installation(t.testdir({ first: {}, second: {} }) + '/first', { deu: ['4.0.0_best_int', '4.0.0'] });
  const second = installation(join(first, '..', 'second'), { deu: ['4.0.0_best_int'], fra: ['4.0.0'] });
  mkdirSync(join(first, 'deep'));
  const found = await findLanguages(['deu', 'fra', 'eng'], { folders: [join(first, 'deep'), second] });
  t.match(found, [
    { code: 'deu', folder: join(first, 'node_modules/@tesseract.js-data/deu/4.0.0_best_int'), origin: '@tesseract.js-data/deu@1.2.3/4.0.0_best_int' },
    { code: 'fra', folder: join(second, 'node_modules/@tesseract.js-data/fra/4.0.0') },
    { code: 'eng' },
  ]);
});

t.test('what is missing is named with what to install, and where', async t => {
  const dir = installation(t.testdir(), { deu: ['4.0.0'], ita: [] });
  await t.rejects(findLanguages(['deu', 'chi_sim'], { folders: [dir] }), {
    message: `the data of "chi_sim" is not installed: run "npm install @tesseract.js-data/chi_sim" in ${dir}, or take it out of options.languages`,
  });
  await t.rejects(findLanguages(['ita', 'spa'], { folders: [dir] }), { message: /^the data of "ita" and "spa" is not installed: run "npm install @tesseract.js-data\/ita @tesseract.js-data\/spa" in / });
  await t.rejects(findLanguages(['eng', 'english', 'de'], { folders: [dir] }), {
    message: 'options.languages takes languages as Tesseract names them, such as eng, deu or chi_sim, and "english" and "de" is none',
  });
});

t.test('the program’s data is unpacked once, and again where it is not whole', async t => {
  const dir = installation(t.testdir(), { deu: ['4.0.0'], fra: ['4.0.0'] });
  const languages = await findLanguages(['deu', 'fra'], { folders: [dir] });
  const name = await unpackedData(languages, join(dir, 'data', 'ocr'));
  const folder = join(dir, 'data', 'ocr', name);
  t.same((await readdir(folder)).sort(), ['deu.traineddata', 'fra.traineddata']);
  const file = join(folder, 'deu.traineddata');
  t.equal(await readFile(file, 'utf8'), 'some data of deu');
  const before = await stat(file, { bigint: true });
  t.equal(await unpackedData(languages, join(dir, 'data', 'ocr')), name);
  t.equal((await stat(file, { bigint: true })).ino, before.ino, 'it was left as it was');
  await truncate(file, 3);
  await unpackedData(languages, join(dir, 'data', 'ocr'));
  t.equal(await readFile(file, 'utf8'), 'some data of deu');
});

t.test('other languages and other versions have a folder of their own', async t => {
  const dir = installation(t.testdir(), { deu: ['4.0.0'], fra: ['4.0.0'] });
  const [german, french] = await findLanguages(['deu', 'fra'], { folders: [dir] });
  const folders = [[german!], [german!, french!], [french!, german!], [{ ...german!, origin: 'another' }]].map(each => unpackedData(each, dir));
  const [one, both, turned, other] = await Promise.all(folders);
  t.equal(both, turned);
  t.equal(new Set([one, both, other]).size, 3);
});

t.test('data that is no gzip is an error, and leaves no half file', async t => {
  const dir = installation(t.testdir(), { deu: ['4.0.0'] });
  const [german] = await findLanguages(['deu'], { folders: [dir] });
  writeFileSync(dataFile(german!), 'no gzip at all');
  await t.rejects(unpackedData([german!], join(dir, 'data')), /header/);
  const [folder] = await readdir(join(dir, 'data'));
  t.same(await readdir(join(dir, 'data', folder!)), []);
});

t.test('a linked package is followed', async t => {
  const dir = installation(t.testdir({ from: {}, to: {} }) + '/to', { deu: ['4.0.0'] });
  const from = join(dir, '..', 'from');
  symlinkSync(join(dir, 'node_modules'), join(from, 'node_modules'), 'junction');
  t.match(await findLanguages(['deu'], { folders: [from] }), [{ code: 'deu' }]);
});
