/** Language data: packages that are found, missing ones, and the unpacked folder of the program. */
import { mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { readdir, readFile, stat, truncate } from 'node:fs/promises';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import t from 'tap';
import { dataFile, findLanguages } from './languages.js';
import { unpackTessdata } from './tessdata.js';

/** A folder with packages of language data in it. */
function installation(
  dir: string,
  packages: Readonly<Record<string, readonly string[]>>,
  content = 'some data',
): string {
  for (const [code, kinds] of Object.entries(packages)) {
    const folder = join(dir, 'node_modules', '@tesseract.js-data', code);
    mkdirSync(folder, { recursive: true });
    writeFileSync(
      join(folder, 'package.json'),
      JSON.stringify({ name: `@tesseract.js-data/${code}`, version: '1.2.3', main: 'index.js' }),
    );
    for (const kind of kinds) {
      mkdirSync(join(folder, kind));
      writeFileSync(join(folder, kind, `${code}.traineddata.gz`), gzipSync(`${content} of ${code}`));
    }
  }
  return dir;
}

t.test('findLanguages: English, installed with the plugin', async t => {
  const [english] = await findLanguages(['eng'], { folders: [] });
  t.match(english, { code: 'eng', origin: '@tesseract.js-data/eng@1.0.0/4.0.0_best_int' });
  t.same([...readFileSync(dataFile(english!)).subarray(0, 2)], [0x1f, 0x8b]);
});

t.test('findLanguages: the first folder with the package, or above it', async t => {
  const first = installation(t.testdir({ first: {}, second: {} }) + '/first', { deu: ['4.0.0_best_int', '4.0.0'] });
  const second = installation(join(first, '..', 'second'), { deu: ['4.0.0_best_int'], fra: ['4.0.0'] });
  mkdirSync(join(first, 'deep'));
  const found = await findLanguages(['deu', 'fra', 'eng'], { folders: [join(first, 'deep'), second] });
  t.match(found, [
    {
      code: 'deu',
      folder: join(first, 'node_modules/@tesseract.js-data/deu/4.0.0_best_int'),
      origin: '@tesseract.js-data/deu@1.2.3/4.0.0_best_int',
    },
    { code: 'fra', folder: join(second, 'node_modules/@tesseract.js-data/fra/4.0.0') },
    { code: 'eng' },
  ]);
});

t.test('findLanguages: missing languages, named with what to install', async t => {
  const dir = installation(t.testdir(), { deu: ['4.0.0'], ita: [] });
  for (const [languages, names, install] of [
    [['deu', 'chi_sim'], '"chi_sim"', 'platen plugins add --data @tesseract.js-data/chi_sim'],
    [['ita', 'spa'], '"ita" and "spa"', 'platen plugins add --data @tesseract.js-data/ita @tesseract.js-data/spa'],
  ] as const) {
    const message = await findLanguages(languages, { folders: [dir] }).then(String, (error: Error) => error.message);
    for (const part of [names, `"${install}"`]) t.ok(message.includes(part), `${message} has ${part}`);
  }
  await t.rejects(findLanguages(['eng', 'english', 'de'], { folders: [dir] }), {
    message: /^options\.languages .*"english" and "de"$/,
  });
});

t.test('unpackTessdata: once, and again where a file is incomplete', async t => {
  const dir = installation(t.testdir(), { deu: ['4.0.0'], fra: ['4.0.0'] });
  const languages = await findLanguages(['deu', 'fra'], { folders: [dir] });
  const name = await unpackTessdata(languages, join(dir, 'data', 'ocr'));
  const folder = join(dir, 'data', 'ocr', name);
  t.same((await readdir(folder)).sort(), ['deu.traineddata', 'fra.traineddata']);
  const file = join(folder, 'deu.traineddata');
  t.equal(await readFile(file, 'utf8'), 'some data of deu');
  const before = await stat(file, { bigint: true });
  t.equal(await unpackTessdata(languages, join(dir, 'data', 'ocr')), name);
  t.equal((await stat(file, { bigint: true })).ino, before.ino, 'the file is unchanged');
  await truncate(file, 3);
  await unpackTessdata(languages, join(dir, 'data', 'ocr'));
  t.equal(await readFile(file, 'utf8'), 'some data of deu');
});

t.test('unpackTessdata: another set of languages or versions, another folder', async t => {
  const dir = installation(t.testdir(), { deu: ['4.0.0'], fra: ['4.0.0'] });
  const [german, french] = await findLanguages(['deu', 'fra'], { folders: [dir] });
  const folders = [[german!], [german!, french!], [french!, german!], [{ ...german!, origin: 'another' }]].map(each =>
    unpackTessdata(each, dir),
  );
  const [one, both, turned, other] = await Promise.all(folders);
  t.equal(both, turned);
  t.equal(new Set([one, both, other]).size, 3);
});

t.test('unpackTessdata: data that is not gzip, an error and no partial file', async t => {
  const dir = installation(t.testdir(), { deu: ['4.0.0'] });
  const [german] = await findLanguages(['deu'], { folders: [dir] });
  writeFileSync(dataFile(german!), 'not gzip');
  await t.rejects(unpackTessdata([german!], join(dir, 'data')), /header/);
  const [folder] = await readdir(join(dir, 'data'));
  t.same(await readdir(join(dir, 'data', folder!)), []);
});

t.test('findLanguages: a linked package, followed', async t => {
  const dir = installation(t.testdir({ from: {}, to: {} }) + '/to', { deu: ['4.0.0'] });
  const from = join(dir, '..', 'from');
  symlinkSync(join(dir, 'node_modules'), join(from, 'node_modules'), 'junction');
  t.match(await findLanguages(['deu'], { folders: [from] }), [{ code: 'deu' }]);
});
