/** The promises of a format, kept by this one, and what QOI itself says. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { packageContract, testPage } from '@platen/conformance';
import suites from './conformance.js';
import { createFormat } from './format.js';

const call = { signal: new AbortController().signal };

void test('Acme F100', t => packageContract(t, suites));

void test('a row of one colour is a run', async t => {
  const format = createFormat();
  t.after(() => format.close());
  const page = testPage({ width: 62, height: 1, pixels: 'gray8' });
  const file = await format.encode({ ...page, data: page.data.fill(0) }, { quality: 90 }, call);
  assert.deepEqual([...file.subarray(14)], [0xfd, 0, 0, 0, 0, 0, 0, 0, 1]);
});

void test('a file that claims more pixels than it has is an error', async t => {
  const format = createFormat();
  t.after(() => format.close());
  const file = Buffer.from(await format.encode(testPage(), { quality: 90 }, call));
  file.writeUInt32BE(30_000, 8);
  await assert.rejects(format.decode(file, call));
});
