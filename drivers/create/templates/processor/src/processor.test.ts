/** The promises of a processor, kept by this one, and which specks it removes. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { packageContract, testPage } from '@platen/conformance';
import suites from './conformance.js';
import { createProcessor } from './processor.js';

const call = { signal: new AbortController().signal };
const [WIDTH, HEIGHT] = [20, 20];

/** A white page with a black square. */
function square(side: number) {
  const data = new Uint8Array(WIDTH * HEIGHT).fill(255);
  for (let y = 8; y < 8 + side; y++) data.fill(0, y * WIDTH + 8, y * WIDTH + 8 + side);
  return { ...testPage({ width: WIDTH, height: HEIGHT, pixels: 'gray8' }), data };
}

void test('Acme F100', t => packageContract(t, suites));

void test('a speck of the given size goes, a larger one stays', async t => {
  const processor = createProcessor();
  t.after(() => processor.close());
  const { page, applied } = await processor.apply(square(2), { size: 2, specks: 'dark' }, call);
  assert.ok(applied);
  assert.ok(page.data.every(value => value === 255));
  const larger = await processor.apply(square(5), { size: 2, specks: 'dark' }, call);
  assert.equal(larger.applied, false);
});

void test('dark specks stay where light ones are asked for', async t => {
  const processor = createProcessor();
  t.after(() => processor.close());
  const { applied } = await processor.apply(square(1), { size: 1, specks: 'light' }, call);
  assert.equal(applied, false);
});
