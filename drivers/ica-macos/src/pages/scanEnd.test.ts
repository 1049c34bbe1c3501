/** scanEnd: ImageCaptureCore has one code for many ends of a scan; other observations decide. */
import t from 'tap';
import { failureOf, type ScanEnd } from './scanEnd.js';

const status = (word: string) => Object.assign(new Error('Wörter'), { status: word });
const end = (facts: Partial<ScanEnd>): ScanEnd => ({
  name: 'Desk',
  source: 'feeder',
  error: undefined,
  isStopped: false,
  came: 0,
  isTorn: false,
  isBilevel: false,
  wasLoaded: false,
  isLoaded: false,
  ...facts,
});
const codeOf = (facts: Partial<ScanEnd>) => failureOf(end(facts))?.code;
const error = status('-9933');

t.test('scanEnd: no error', async t => {
  t.equal(codeOf({ came: 1 }), undefined);
  t.equal(codeOf({}), 'no-paper', 'no page and no paper');
  t.equal(codeOf({ wasLoaded: true }), 'driver-failed', 'no page although there was paper');
  t.equal(codeOf({ source: 'flatbed' }), 'driver-failed');
});

t.test('scanEnd: an unsolicited scanner error, interpreted without its text', async t => {
  t.equal(codeOf({ error }), 'no-paper');
  t.equal(codeOf({ error, came: 2 }), undefined, 'the feeder is empty after its pages');
  t.equal(codeOf({ error, came: 2, isLoaded: true }), 'paper-jam');
  t.equal(codeOf({ error, came: 2, isTorn: true }), 'paper-jam');
  t.equal(codeOf({ error, isTorn: true }), 'paper-jam');
  t.equal(codeOf({ error, wasLoaded: true, isLoaded: true }), 'paper-jam');
  t.equal(codeOf({ error, wasLoaded: true, isLoaded: true, isBilevel: true }), 'unsupported');
  t.equal(codeOf({ error, isBilevel: true }), 'no-paper', 'an empty feeder, in any colour mode');
  t.equal(codeOf({ error, source: 'flatbed', isBilevel: true }), 'unsupported');
  t.equal(codeOf({ error, source: 'flatbed' }), 'driver-failed');
});

t.test('scanEnd: a requested cancel is a normal end, any other is not', async t => {
  t.equal(codeOf({ error: status('-9924'), came: 1, isStopped: true }), undefined);
  t.equal(codeOf({ error: status('-9924'), came: 1 }), 'cancelled');
  t.equal(codeOf({ error: status('-9925'), isStopped: true }), 'busy');
});
