/** What nobody reads: by the name of a key, and by the schema. */
import t from 'tap';
import { hasSecret, withHidden, withMarks, withoutMarks, withoutSecrets, withSecretsNamed } from './secrets.js';

const schema = {
  properties: {
    pin: { type: 'string', writeOnly: true },
    devices: { items: { properties: { host: {}, code: { writeOnly: true } } } },
  },
};
const options = {
  pin: '1234',
  devices: [
    { host: 'a', password: 'one', code: 7 },
    { host: 'b', password: 'two' },
  ],
  tokens: ['not a secret by itself'],
  apiKey: 'k',
};

t.test('secrets: what a page gets has marks in their place, and gets them back by the marks', async t => {
  const marked = withMarks(options, schema);
  for (const secret of ['1234', 'one', 'two', '"k"', ':7']) t.notOk(JSON.stringify(marked).includes(secret), secret);
  t.match(marked, { devices: [{ host: 'a' }, { host: 'b' }] });
  t.strictSame(withoutMarks(marked, options, schema), options);
  const { devices } = marked as { devices: unknown[] };
  const moved = withoutMarks([devices[1], { host: 'c' }], options, schema);
  t.strictSame(moved, [{ host: 'b', password: 'two' }, { host: 'c' }], 'by where it was, not by where it is');
});

t.test('secrets: a mark stands for a secret that is there, and for nothing else', async t => {
  for (const platenSecret of [
    ['gone'],
    ['devices', 0, 'host'],
    ['devices', 9, 'password'],
    ['devices'],
    [],
    ['__proto__'],
    ['constructor', 'name'],
  ])
    t.throws(() => withoutMarks({ x: { platenSecret } }, options, schema), JSON.stringify(platenSecret));
});

t.test('secrets: what a person sees, and what a form is told', async t => {
  t.match(withHidden(options, schema), {
    pin: '(hidden)',
    apiKey: '(hidden)',
    devices: [{ host: 'a', code: '(hidden)' }],
  });
  const named = withSecretsNamed({
    type: 'object',
    properties: {
      apiKey: { type: 'string' },
      token: { type: 'object', properties: {} },
      devices: { type: 'array', items: { properties: { password: { type: 'string' }, host: { type: 'string' } } } },
    },
  });
  t.strictSame(named, {
    type: 'object',
    properties: {
      apiKey: { type: 'string', writeOnly: true },
      token: { type: 'object', properties: {} },
      devices: {
        type: 'array',
        items: { properties: { password: { type: 'string', writeOnly: true }, host: { type: 'string' } } },
      },
    },
  });
});

t.test('secrets: whether there is one', async t => {
  t.ok(hasSecret(options, schema));
  t.ok(hasSecret({ list: [{ password: 'x' }] }, undefined));
  t.notOk(hasSecret({ host: 'a', pin: 'p' }, undefined));
});

t.test('secrets: hidden in what is printed, in lists too; the path of a licence is none', async t => {
  t.strictSame(withoutSecrets({ plugins: [{ options: { devices: [{ password: 'x' }] } }] }), {
    plugins: [{ options: { devices: [{ password: '(hidden)' }] } }],
  });
  t.equal(withoutSecrets('x', 'password'), '(hidden)');
  t.equal(withoutSecrets('licences/ocr.txt', 'licence'), 'licences/ocr.txt');
});
