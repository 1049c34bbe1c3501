/** Vendor features: which can be read, and what they say about themselves. */
import t from 'tap';
import { isAt, placeOf, readFeatures, reservedIn } from './features.js';

const common = { index: 0, name: 'CVF_X', title: '', tooltip: '' };
const boolean = { ...common, type: 2, value: 1 };
const range = { ...common, type: 1, minimum: -50, maximum: 50, step: 5, value: 10, default: 0 };
const enumeration = { ...common, type: 0, values: [0, 2], labels: ['Off', 'Text'], value: 1, default: 0 };

const one = (header: object) => readFeatures([{ ...header }])[0];

t.test('readFeatures: each type, with its words, range or values, and default', async t => {
  t.strictSame(one({ ...boolean, index: 3, title: 'Descreen', tooltip: 'Reduces moire.' }), {
    index: 3,
    current: true,
    option: { name: 'CVF_X', title: 'Descreen', description: 'Reduces moire.', type: 'boolean', default: true },
  });
  t.strictSame(one(range), {
    index: 0,
    current: 10,
    option: { name: 'CVF_X', type: 'number', minimum: -50, maximum: 50, step: 5, default: 0 },
  });
  t.strictSame(one(enumeration), {
    index: 0,
    current: 2,
    option: { name: 'CVF_X', description: '0: Off\n2: Text', type: 'integer', values: [0, 2], default: 0 },
  });
  t.match(one({ ...enumeration, values: ['Off', 'Text'] }), {
    current: 'Text',
    option: { type: 'string', default: 'Off' },
  });
  t.match(one({ ...enumeration, values: [0.5, 2] })?.option, { type: 'number', values: [0.5, 2] });
});

t.test('readFeatures: a fact that cannot be read is absent', async t => {
  t.strictSame(one({ ...range, step: 0, value: null, default: 99 }), {
    index: 0,
    current: undefined,
    option: { name: 'CVF_X', type: 'number', minimum: -50, maximum: 50 },
  });
  t.notOk('default' in one({ ...enumeration, default: null })!.option);
  t.notOk('description' in one({ ...enumeration, labels: ['Off'] })!.option, 'labels of other values');
});

t.test('readFeatures: a feature that cannot be read is not listed', async t => {
  for (const [why, header] of Object.entries({
    'no name': { ...boolean, name: '' },
    'a template': { ...common, type: 3 },
    'a later type': { ...boolean, type: 4 },
    'no limit': { ...range, maximum: null },
    'limits in the wrong order': { ...range, minimum: 51 },
    'no values': { ...enumeration, values: [] },
    'values of two types': { ...enumeration, values: [0, 'Text'] },
    'values of an unknown type': { ...enumeration, values: [null, null] },
    'too many values': { ...enumeration, values: Array.from({ length: 1001 }, (_, i) => i) },
    'both sides, which the driver sets': { ...boolean, name: 'CVF_DUPLEX' },
    'the resolution, which the driver sets': { ...range, name: 'outputResolution' },
  }))
    t.equal(one(header), undefined, why);
  t.same(reservedIn([{ ...boolean, name: 'CVF_DUPLEX' }, boolean]), [{ name: 'CVF_DUPLEX', controls: ['duplexMode'] }]);
  t.match(readFeatures([boolean, { ...range, index: 1 }]), [{ index: 0 }], 'the second one of a name');
});

t.test('readFeatures: the parameter that sets the same, by a word of the name', async t => {
  const controls = (name: string) => one({ ...range, name })?.option.controls;
  t.same(controls('CVF_BRIGHTNESS'), ['brightness']);
  t.same(controls('imageContrast'), ['contrast']);
  t.same(controls('BW-Threshold-2'), ['threshold']);
  t.same(controls('CVF_AUTO_DESKEW'), ['autoDeskew']);
  t.equal(controls('CVF_SHARPNESS'), undefined);
  t.equal(controls('constructor'), undefined);
});

t.test("placeOf, isAt: the value in the helper's form; a range has the nearest step", async t => {
  const [number, choice, flag] = [one(range)!, one(enumeration)!, one(boolean)!];
  t.strictSame([placeOf(number.option, -5), placeOf(choice.option, 2), placeOf(flag.option, false)], [-5, 1, 0]);
  t.strictSame(
    [10, 12.5, 12.6, 7].map(value => isAt(number, value)),
    [true, true, false, false],
  );
  t.strictSame(
    [2, 0].map(value => isAt(choice, value)),
    [true, false],
  );
  t.strictSame(
    [true, false].map(value => isAt(flag, value)),
    [true, false],
  );
});
