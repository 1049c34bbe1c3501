/** Blank pages through HTTP: what each call says with the other values of blankPages. */
import t from 'tap';
import { start } from '../spec/specTest.js';
import { virtualTopology as topology } from '../topology/virtualTopology.js';
import { saysOfEachCall } from './blankCalls.js';

const fixture = await start(t, topology, { recognisers: ['@platen/blank-pages', '@platen/document-pdf'] });

t.test('blank pages: drop, said by each call', async t => saysOfEachCall(t, fixture, 'drop', [false, true]));

t.test('blank pages: keep, said by no call', async t => saysOfEachCall(t, fixture, 'keep', [undefined, undefined]));
