/** Copying: names in texts and paths, hidden files, and what only a package with a licence has. */
import { readFile } from 'node:fs/promises';
import { join, sep } from 'node:path';
import t from 'tap';
import { copyTemplate, filledIn, targetPath, withLicence, type Values } from './template.js';

const values: Values = { name: '@bob/scan.er-9', title: 'Bob 9', id: 'bob', version: '1.2.3', licence: false };

t.test('filledIn: every placeholder', async t => {
  const text = '@acme/acme-f100 acme-f100 acme_f100 acme-id Acme F100 ^0.0.0-platen';
  t.equal(filledIn(text, values), '@bob/scan.er-9 scan.er-9 scan_er_9 bob Bob 9 ^1.2.3');
});

t.test('filledIn: a value with a placeholder, left as it is', async t => {
  const odd = { ...values, name: 'acme-id', title: 'acme-f100', id: 'x' };
  t.equal(filledIn('acme-f100 Acme F100 acme-id', odd), 'acme-id acme-f100 x');
});

t.test('targetPath: hidden files, package.json, names', async t => {
  t.equal(targetPath('_gitignore', values), '.gitignore');
  t.equal(targetPath('_package.json', values), 'package.json');
  t.equal(targetPath('_github/workflows/test.yml', values), ['.github', 'workflows', 'test.yml'].join(sep));
  t.equal(targetPath('native\\acme_f100.c', values), ['native', 'scan_er_9.c'].join(sep));
});

t.test('withLicence: lines and blocks', async t => {
  const text = 'a\n  // licence: b,\r\n# licence: c\n<!-- licence -->\nd\n<!-- /licence -->\n// a licence: e\n';
  t.equal(withLicence(text, true), 'a\n  b,\r\nc\nd\n// a licence: e\n');
  t.equal(withLicence(text, false), 'a\n// a licence: e\n');
});

t.test('copyTemplate: files that are not text keep their bytes', async t => {
  const bytes = Buffer.from('acme-f100\0acme-f100');
  const from = t.testdir({ sub: { 'a.bin': bytes, 'b.txt': 'acme-f100' } });
  const to = join(from, 'out');
  t.same(await copyTemplate(join(from, 'sub'), to, values), ['a.bin', 'b.txt']);
  t.ok((await readFile(join(to, 'a.bin'))).equals(bytes));
  t.equal(await readFile(join(to, 'b.txt'), 'utf8'), 'scan.er-9');
});
