import t from 'tap';
import { optionsOfSchema, setOptions, valueOf, withOption } from './options.js';

const count = { name: 'count', type: 'integer', minimum: 1, maximum: 5, default: 2 } as const;
const ink = { name: 'ink', type: 'string', values: ['red', 'blue'] } as const;

t.test('options: a wish, or the default; always a value that the option takes', async t => {
  t.equal(valueOf(count, undefined), 2);
  t.equal(valueOf(count, 4), 4);
  t.equal(valueOf(count, 9), 5);
  t.equal(valueOf(count, 'many'), 2);
  t.equal(valueOf(ink, 'blue'), 'blue');
  t.equal(valueOf(ink, 'green'), undefined, 'its default is not known');
  t.equal(valueOf({ name: 'on', type: 'boolean' }, undefined), undefined);
  t.equal(valueOf({ name: 'on', type: 'boolean', default: true }, false), false);
  t.equal(valueOf({ name: 'text', type: 'string', default: 'a' }, undefined), 'a');
});

t.test('options: only those that differ from the defaults are sent', async t => {
  t.same(setOptions([count, ink], { count: 2, ink: 'red', unknown: 1 }), { ink: 'red' });
  t.same(setOptions([count, ink], { count: 3 }), { count: 3 });
  t.same(setOptions([count, ink]), {});
});

t.test('options: one more, or one less', async t => {
  t.same(withOption({ a: 1 }, 'b', 2), { a: 1, b: 2 });
  t.same(withOption({ a: 1, b: 2 }, 'a', undefined), { b: 2 });
  t.same(withOption(undefined, 'a', false), { a: false });
});

t.test('options of a schema: those that one control can set', async t => {
  const schema = {
    properties: {
      radius: { type: 'number', title: 'Radius', description: 'In pixels.', minimum: 0, maximum: 9, multipleOf: 0.5 },
      unit: { enum: ['mm', 'px'], default: 'mm' },
      level: { type: 'integer', enum: [1, 2], default: { no: 'scalar' } },
      mixed: { enum: ['a', null] },
      list: { type: 'array' },
      either: { type: ['string', 'null'] },
      bare: {},
    },
  };
  t.same(optionsOfSchema(schema), [
    { name: 'radius', type: 'number', title: 'Radius', description: 'In pixels.', minimum: 0, maximum: 9, step: 0.5 },
    { name: 'unit', type: 'string', default: 'mm', values: ['mm', 'px'] },
    { name: 'level', type: 'integer', values: [1, 2] },
  ]);
  t.same(optionsOfSchema(undefined), []);
  t.same(optionsOfSchema({ type: 'object' }), []);
});
