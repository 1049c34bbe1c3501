/** Each law finds what breaks it and lets pass what keeps it; and the house keeps them all. */
import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import t from 'tap';
import { clone, judgeHouse, laws, sourcesOf } from './house.js';
import { judge } from './law.js';
import { readSource } from './source.js';

/** Fixtures: a path, a line of code, and a word of the law that it breaks, or undefined where it is lawful. */
const cases: readonly [path: string, code: string, law: string | undefined][] = [
  ['core/src/a.ts', "import sharp from 'sharp';", 'core imports node: and ajv only'],
  ['core/src/a.ts', "export * from 'lodash/fp';", 'core imports node: and ajv only'],
  ['core/src/a.ts', "const x = await import('tap');", 'core imports node: and ajv only'],
  ['core/src/a.ts', "import type { Scan } from '@platen/format-png';", 'core imports node: and ajv only'],
  ['core/src/a.ts', "const png = require('pngjs');", 'core imports node: and ajv only'],
  ['core/src/a.ts', "import { x } from 'ajv/dist/2020.js'; import fs from 'node:fs'; import './b.js';", undefined],
  ['core/src/a.test.ts', "import t from 'tap';", undefined],
  ['core/src/a.ts', "// import sharp from 'sharp';\nconst text = \"import sharp from 'sharp'\";", undefined],
  ['core/src/a.ts', 'const text = `import "sharp"; ${f({ a: `}`, b: 1 })} import "sharp"`;', undefined],
  ['core/src/a.ts', 'const text = `${await import("sharp")}`;', 'core imports node: and ajv only'],
  ['core/src/a.ts', "const sign = /'/; import 'sharp';", 'core imports node: and ajv only'],
  ['core/src/a.ts', "const half = a / b; const other = 'x' / 2; import 'sharp';", 'core imports node: and ajv only'],

  ['plugins/barcode/src/a.ts', "import { x } from '@platen/core';", 'plugins and drivers know'],
  ['plugins/barcode/src/a.ts', "import { x } from '@platen/conformance';", 'plugins and drivers know'],
  ['plugins/barcode/src/a.ts', "import { x } from '@platen/format-png';", 'plugins and drivers know'],
  ['plugins/barcode/src/a.ts', "import { x } from '@platen/driver-kit';", 'plugins and drivers know'],
  ['drivers/escl/src/a.ts', "import { x } from '@platen/driver-virtual';", 'plugins and drivers know'],
  ['drivers/escl/src/a.ts', "import { x } from '@platen/core/plugin'; import { y } from '@platen/driver-kit';", undefined],
  ['drivers/escl/src/a.test.ts', "import { x } from '@platen/conformance'; import t from 'tap';", undefined],

  ['server/src/a.ts', "import { x } from '@platen/core/plugin';", 'front door'],
  ['server/src/a.ts', "import { x } from '@platen/format-png';", 'front door'],
  ['server/src/a.ts', "import { x } from '@platen/core'; import fastify from 'fastify';", undefined],

  ['core/src/a.ts', "import { x } from '@platen/server';", 'nobody imports the server'],
  ['drivers/escl/src/a.ts', "import { x } from '@platen/server/schemas';", 'nobody imports the server'],
  ['test/spec/a.ts', "import { x } from '@platen/server/schemas';", undefined],

  ['plugins/barcode/src/a.ts', "import plugin from 'fastify-plugin';", 'fastify and tsyringe'],
  ['plugins/barcode/src/a.ts', "import cors from '@fastify/cors';", 'fastify and tsyringe'],
  ['drivers/escl/src/a.ts', "import { container } from 'tsyringe';", 'fastify and tsyringe'],
  ['server/src/routes/a.ts', "import { container } from 'tsyringe';", 'tsyringe stops'],
  ['server/src/compose.ts', "import { container } from 'tsyringe';", undefined],
  ['server/src/tokens.ts', "import type { InjectionToken } from 'tsyringe';", undefined],

  ['plugins/barcode/src/a.ts', "import { x } from '../../format-png/src/x.js';", 'by its name, never by a path'],
  ['server/src/a.ts', "import { x } from '../../core/dist/server.js';", 'by its name, never by a path'],
  ['core/src/pixels/a.ts', "import { x } from '../contract/page.js';", undefined],

  ['server/src/routes/a.ts', 'reply.code(200);', 'HTTP statuses'],
  ['server/src/routes/a.ts', 'reply.status(200);', 'HTTP statuses'],
  ['server/src/routes/a.ts', 'if (x.statusCode >= 500) y();', 'HTTP statuses'],
  ['server/src/routes/a.ts', 'const busy = 409;', 'HTTP statuses'],
  ['server/src/routes/a.ts', 'const schema = { response: { 200: Scan } };', 'HTTP statuses'],
  ['server/src/http/errors.ts', 'reply.code(409);', undefined],
  ['server/src/web/client/errors.ts', 'const busy = 409;', undefined],
  ['server/src/web/client/scan.ts', 'const busy = 409;', 'HTTP statuses'],
  ['server/src/http/errors.test.ts', 't.equal(answer.statusCode, 409);', undefined],
  ['server/src/routes/a.ts', "const resolution = 200; const ms = 500; const text = '409'; // 409", undefined],
  ['core/src/a.ts', 'const busy = 409;', undefined],

  ['server/src/routes/a.ts', "if (process.platform === 'win32') x();", 'operating system'],
  ['drivers/sane/src/a.ts', 'const { platform } = process;', 'operating system'],
  ['core/src/session/a.ts', 'const x = os.platform();', 'operating system'],
  ['server/src/config/a.ts', 'const x = process.platform;', undefined],
  ['core/src/registry/load.ts', 'const x = process.platform;', undefined],
  ['drivers/kit/src/platform.ts', 'const x = process.platform;', undefined],
  ['drivers/remote/src/channel/address.ts', 'const x = process.platform;', 'operating system'],
  ['core/src/a.test.ts', 'const x = process.platform;', undefined],
  ['core/src/a.ts', 'const x = settings.platform; // process.platform', undefined],

  ['server/src/routes/a.ts', "const name = '@platen/driver-virtual';", 'names no plugin or driver'],
  ['server/src/routes/a.ts', "const name = '@platen/core'; // not @platen/driver-virtual", undefined],
  ['server/src/config/read.test.ts', "const name = '@platen/format-png';", undefined],
];

for (const [path, code, law] of cases) {
  t.test(`${path}: ${code.replaceAll('\n', ' ')} ${law ? `breaks: ${law}` : 'is lawful'}`, async t => {
    const found = judge(readSource(path, `/** A fixture. */\n${code}\n`), laws);
    if (!law) t.same(found, []);
    else {
      const line = code.split('\n').length + 1;
      t.ok(found.some(each => each.startsWith(`${path}:${line}: `) && each.includes(law)), `found ${found.join('; ') || 'nothing'}`);
    }
  });
}

t.test('a file opens with a sentence', async t => {
  const opening = (text: string, path = 'core/src/a.ts') => judge(readSource(path, text), laws).length;
  t.equal(opening("import fs from 'node:fs';\n"), 1);
  t.equal(opening('// A word.\nconst x = 1;\n'), 1);
  t.equal(opening('/** */\nconst x = 1;\n'), 1);
  t.equal(opening(''), 1, 'an empty file too');
  t.equal(opening('/** The clock. */\nconst x = 1;\n'), 0);
  t.equal(opening('/**\n * The clock.\n */\nconst x = 1;\n'), 0);
  t.equal(opening('#!/usr/bin/env node\n/** Starts the command line. */\n', 'server/bin/a.cjs'), 0);
  t.equal(opening("import t from 'tap';\n", 'core/src/a.test.ts'), 0, 'a test is named after its subject');
});

t.test('a file has at most 250 lines', async t => {
  const of = (lines: number) => judge(readSource('core/src/a.ts', `/** A fixture. */\n${'x();\n'.repeat(lines - 1)}`), laws);
  t.same(of(250), []);
  t.match(of(251), [/^core\/src\/a\.ts:251: a file has at most 250 lines/]);
});

t.test('what a package imports is in its package.json', async t => {
  const manifests = new Map([['', new Set(['platen', 'zxing-wasm'])], ['drivers/escl', new Set(['@platen/driver-escl', 'sharp'])]]);
  const of = (path: string, name: string) => judge(readSource(path, `/** A fixture. */\nimport x from '${name}';\n`), laws, manifests);
  t.same(of('drivers/escl/src/a.ts', 'sharp'), []);
  t.match(of('drivers/escl/src/a.ts', 'zxing-wasm'), [/drivers\/escl\/src\/a\.ts:2: .*package\.json/]);
  t.same(of('drivers/escl/src/a.test.ts', 'zxing-wasm/full'), []);
  t.same(of('drivers/escl/samples/make.mjs', 'zxing-wasm/full'), []);
  t.match(of('drivers/escl/src/a.test.ts', 'chalk'), [/package\.json/]);
});

t.test('a house is read from its folders, without what others made', async t => {
  const root = t.testdir();
  for (const path of ['core/src/a.ts', 'core/dist/a.js', 'node_modules/x/a.js', 'test/plugins/fixtures/broken/a.mjs', 'core/src/a.d.ts']) {
    mkdirSync(dirname(join(root, path)), { recursive: true });
    writeFileSync(join(root, path), "import 'fastify';\n");
  }
  writeFileSync(join(root, 'core', 'package.json'), '{ "name": "@platen/core" }');
  t.same(sourcesOf(root), ['core/src/a.ts']);
  t.equal(judgeHouse(root).breaches.length, 4, 'two laws of imports, the manifest, the opening');
});

t.test('the house keeps its laws', async t => {
  const { sources, breaches } = judgeHouse(clone);
  t.ok(sources > 50, 'the sources were found');
  t.same(breaches, []);
});
