/** Options of a driver: what may be listed, and which values are taken. */
import t from 'tap';
import type { DriverOption } from '../contract/controls.js';
import {
  checkDriverOptions,
  optionAccepts,
  readDriverOptions,
  readOptionValues,
  readReservedOptions,
  takesValue,
} from './optionFields.js';

const read = (driverOptions: unknown) => readDriverOptions({ driverOptions }, 'driverOptions');

t.test('readDriverOptions: known fields, and nothing else', async t => {
  const whole: DriverOption = {
    name: 'gamma',
    title: 'Gamma',
    description: 'How light the middle tones are.\nA sentence more.',
    type: 'number',
    unit: 'percent',
    minimum: 0.5,
    maximum: 3,
    step: 0.1,
    values: [0.5, 1, 3],
    default: 1,
    controls: ['brightness', 'contrast'],
    advanced: true,
  };
  t.same(
    read([
      { ...whole, secret: 1 },
      { name: 'beep', type: 'boolean' },
    ]),
    [whole, { name: 'beep', type: 'boolean' }],
  );
});

t.test('readDriverOptions: a fault, named', async t => {
  const good = { name: 'a', type: 'integer' };
  for (const [list, fault] of [
    ['a', /driverOptions/],
    [[7], /option/],
    [[{ type: 'integer' }], /name/],
    [[{ ...good, type: 'list' }], /type/],
    [[{ ...good, unit: 'inch' }], /unit/],
    [[{ ...good, minimum: NaN }], /minimum/],
    [[{ ...good, step: -1 }], /step/],
    [[{ ...good, values: [] }], /values/],
    [[{ ...good, values: ['x'] }], /a has the value x/],
    [[{ ...good, default: 1.5 }], /a has the value 1\.5/],
    [[{ ...good, controls: ['jpegQuality'] }], /controls/],
    [[{ ...good, controls: 'area' }], /controls/],
    [[{ ...good, controls: [] }], /controls/],
    [[good, good], /same name/],
  ] as const)
    t.throws(() => read(list), { name: 'TypeError', message: fault });
});

t.test('readReservedOptions: a name and parameters', async t => {
  const readReserved = (options: unknown) => readReservedOptions({ options }, 'options');
  const source = { name: 'source', controls: ['source', 'duplexMode'] };
  t.same(readReserved([{ ...source, type: 'string' }]), [source]);
  for (const [list, fault] of [
    [{}, /options/],
    [[{ controls: ['source'] }], /name/],
    [[{ name: 'source' }], /controls/],
    [[{ name: 'source', controls: [] }], /controls/],
    [[{ name: 'source', controls: ['tray'] }], /controls/],
  ] as const)
    t.throws(() => readReserved(list), { name: 'TypeError', message: fault });
});

t.test('takesValue, optionAccepts: by type, range and list', async t => {
  const cases: [Omit<DriverOption, 'name'>, unknown[], unknown[], string][] = [
    [{ type: 'boolean' }, [true, false], ['true', 1], 'true or false'],
    [{ type: 'integer', minimum: 1, maximum: 3 }, [1, 3], [0, 4, 1.5, '2'], 'an integer from 1 to 3'],
    [{ type: 'number', minimum: 0, unit: 'mm', step: 2 }, [0, 0.3, 1e6], [-0.1, NaN, true], 'a number from 0 mm'],
    [{ type: 'string' }, ['', 'x'], [1], 'a string'],
    [{ type: 'string', values: ['a', 'b'] }, ['a'], ['c', ''], 'one of a, b'],
    [{ type: 'integer', values: [8] }, [8], [9], '8'],
  ];
  for (const [facts, taken, refused, accepts] of cases) {
    const option = { name: 'x', ...facts };
    t.equal(optionAccepts(option), accepts);
    for (const value of taken) t.ok(takesValue(option, value), `${accepts}: ${String(value)}`);
    for (const value of refused) t.notOk(takesValue(option, value), `${accepts}: ${String(value)}`);
  }
});

t.test('checkDriverOptions: not listed, or another value, unsupported with the name', async t => {
  const listed: DriverOption[] = [{ name: 'lamp', type: 'string', values: ['warm'] }];
  t.doesNotThrow(() => checkDriverOptions());
  t.doesNotThrow(() => checkDriverOptions(listed, { lamp: 'warm' }));
  t.throws(() => checkDriverOptions(listed, { lamp: 'cold' }), { code: 'unsupported', message: /lamp.*warm/ });
  t.throws(() => checkDriverOptions(undefined, { lamp: 'warm' }), { code: 'unsupported', message: /lamp/ });
});

t.test('readOptionValues: strings, numbers and booleans; `__proto__` is a name like others', async t => {
  const values = JSON.parse('{ "a": "x", "b": 1.5, "c": false, "__proto__": 1 }') as object;
  t.same(Object.keys(readOptionValues({ its: values }, 'its')), ['a', 'b', 'c', '__proto__']);
  for (const value of [null, [1], { a: null }, { a: [] }, { a: Infinity }])
    t.throws(() => readOptionValues({ its: value }, 'its'), { name: 'TypeError' });
});
