/** Names that a person types, and the compiled tests that they mean. */
import t from 'tap';
import { isLong, select } from './selection.js';

const compiled = [
  'core/dist/clock.test.js',
  'core/dist/pixels/rows.test.js',
  'plugins/barcode/dist/read.test.js',
  'server/web/dist/origins/guard.test.js',
  'test/dist/doctor/doctor.test.js',
];
const of = (...names: string[]) => select(compiled, names, '/clone');

t.test('select: source, compiled file or folder of either, in any spelling', async t => {
  t.same(of('core/src/clock.test.ts').tests, ['core/dist/clock.test.js']);
  t.same(of('./core/dist/clock.test.js').tests, ['core/dist/clock.test.js']);
  t.same(of('core/').tests, ['core/dist/clock.test.js', 'core/dist/pixels/rows.test.js']);
  t.same(of('core/src/pixels', 'test/doctor').tests, [
    'core/dist/pixels/rows.test.js',
    'test/dist/doctor/doctor.test.js',
  ]);
  t.same(of('/clone/plugins').tests, ['plugins/barcode/dist/read.test.js']);
  t.same(of('server/web/origins').tests, ['server/web/dist/origins/guard.test.js']);
  t.equal(of('.').tests.length, 5);
});

t.test('select: a test named twice, once', async t => {
  t.equal(of('core', 'core/src/clock.test.ts').tests.length, 2);
});

t.test('select: a name without a test, reported as unknown', async t => {
  t.same(of('core', 'cor', 'core/src/clock').unknown, ['cor', 'core/src/clock']);
  t.same(of(), { tests: [], unknown: [] });
});

t.test('select: a part of a test, by its whole name only', async t => {
  const run = 'test/dist/spec/virtual/watching';
  const part = 'test/dist/spec/virtual/autoscan';
  const named = (...names: string[]) => select([...compiled, run], names, '/clone', [part]);
  t.same(named('test/spec/virtual/autoscan').tests, [part]);
  t.same(named('test/spec/virtual').tests, [run]);
  t.same(named('test/spec/virtual/auto').unknown, ['test/spec/virtual/auto']);
});

t.test('isLong: by the name, of files and of runs of the interface', async t => {
  t.ok(isLong('test/dist/installers/linux.long.test.js'));
  t.ok(isLong('test/dist/spec/sane/events.long'));
  t.notOk(isLong('test/dist/installers/long.test.js'));
  t.notOk(isLong('test/dist/spec/virtual/autoscan'));
});
