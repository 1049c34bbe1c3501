/** The promises of a recogniser, kept by this one, and what its wishes do. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { packageContract } from '@platen/conformance';
import suites from './conformance.js';
import { boxes, formWith } from './form.js';
import { createRecogniser } from './recogniser.js';
import type { Ticked } from './ticks.js';

const call = { signal: new AbortController().signal };

void test('Acme F100', t => packageContract(t, suites));

void test('every ticked box is found, in the order of the request', async t => {
  const recogniser = createRecogniser();
  t.after(() => recogniser.close());
  const wishes = { boxes: boxes.toReversed(), least: 0.05 };
  const found = (await recogniser.read(formWith(['yes', 'no']), wishes, call)) as readonly Ticked[];
  assert.deepEqual(
    found.map(({ name }) => name),
    ['no', 'yes'],
  );
});

void test('a box with less ink than asked for, or beside the page, has no tick', async t => {
  const recogniser = createRecogniser();
  t.after(() => recogniser.close());
  const page = formWith(['yes']);
  assert.equal(await recogniser.read(page, { boxes, least: 0.9 }, call), null);
  const beside = [{ name: 'far', x: 1000, y: 1000, width: 5, height: 5 }];
  assert.equal(await recogniser.read(page, { boxes: beside, least: 0 }, call), null);
});
