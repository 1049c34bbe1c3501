import t from 'tap';
import { changeOf, draftOf, emptyOf, shown, titleOf, withFound, withOption } from './draft.js';
import type { PluginSettings, Schema } from './state.js';

const properties: Readonly<Record<string, Schema>> = {
  seconds: { type: 'integer', minimum: 1, default: 30 },
  devices: { type: 'array', items: { type: 'string' } },
  password: { type: 'string' },
  names: { type: 'array', items: { type: 'string' }, default: ['a'] },
};

const plugin = (more: Partial<PluginSettings> = {}): PluginSettings => ({
  ...{ use: '@platen/driver-escl', enabled: true, state: 'loaded', provides: [], finds: true, own: [], fixed: [] },
  optionsSchema: { type: 'object', properties },
  options: { devices: ['https://one/'], password: { platenSecret: ['password'] } },
  ...more,
});

t.test('draft: shows what holds, else the default, else nothing', async t => {
  const draft = draftOf(plugin());
  t.same(shown(plugin(), draft, 'devices'), ['https://one/']);
  t.equal(shown(plugin(), draft, 'seconds'), 30);
  t.equal(shown(plugin(), draft, 'unknown'), undefined);
  const { optionsSchema: _, ...plain } = plugin();
  t.same(shown(plain, draft, 'devices'), ['https://one/'], 'without a schema');
  t.equal(changeOf(plugin(), draft), undefined, 'nothing is changed');
});

t.test('draft: a value is a change until it is what holds again', async t => {
  const changed = withOption(plugin(), draftOf(plugin()), 'seconds', 5);
  t.equal(shown(plugin(), changed, 'seconds'), 5);
  t.same(changeOf(plugin(), changed), { use: '@platen/driver-escl', options: { seconds: 5 } });
  t.equal(changeOf(plugin(), withOption(plugin(), changed, 'seconds', 30)), undefined, 'the default that holds');
  const list = withOption(plugin(), changed, 'devices', ['https://one/', 'https://two/']);
  t.same(changeOf(plugin(), withOption(plugin(), list, 'devices', ['https://one/'])), {
    use: '@platen/driver-escl',
    options: { seconds: 5 },
  });
});

t.test('draft: a secret that stays is no change; a new one replaces it', async t => {
  const kept = withOption(plugin(), draftOf(plugin()), 'password', { platenSecret: ['password'] });
  t.equal(changeOf(plugin(), kept), undefined);
  t.same(changeOf(plugin(), withOption(plugin(), kept, 'password', 'new'))?.options, { password: 'new' });
});

t.test('draft: an option that is reset becomes what the other files have', async t => {
  const reset = { ...draftOf(plugin()), options: { devices: undefined, names: undefined, seconds: 5 } };
  t.equal(shown(plugin(), reset, 'devices'), undefined);
  t.same(shown(plugin(), reset, 'names'), ['a'], 'or the default');
  t.same(changeOf(plugin(), reset), {
    ...{ use: '@platen/driver-escl', options: { seconds: 5 }, unset: ['devices', 'names'] },
  });
  t.same(changeOf(plugin(), { ...draftOf(plugin()), options: { devices: undefined } }), {
    ...{ use: '@platen/driver-escl', unset: ['devices'] },
  });
});

t.test('draft: the switch, alone and with options', async t => {
  const off = { ...draftOf(plugin()), enabled: false };
  t.same(changeOf(plugin(), off), { use: '@platen/driver-escl', enabled: false });
  t.same(changeOf(plugin({ enabled: false, state: 'disabled' }), { enabled: true, options: {} }), {
    ...{ use: '@platen/driver-escl', enabled: true },
  });
  t.same(changeOf(plugin(), withOption(plugin(), off, 'seconds', 5)), {
    ...{ use: '@platen/driver-escl', enabled: false, options: { seconds: 5 } },
  });
});

t.test('draft: what was found is added to a list once, and is the value of everything else', async t => {
  const use = (draft = draftOf(plugin()), options: object = {}) =>
    withFound(plugin(), draft, { title: 'One', options: { ...options } });
  const found = use(undefined, { devices: ['https://one/', 'https://two/'], seconds: 9 });
  t.same(found.options, { devices: ['https://one/', 'https://two/'], seconds: 9 });
  t.same(use(found, { devices: ['https://two/', 'https://three/'] }).options['devices'], [
    ...['https://one/', 'https://two/', 'https://three/'],
  ]);
  t.same(use(undefined, { names: ['b'] }).options, { names: ['a', 'b'] }, 'added to the default');
  t.equal(changeOf(plugin(), use(undefined, { devices: ['https://one/'] })), undefined, 'it is there already');
  const empty = plugin({ options: {} });
  t.same(withFound(empty, draftOf(empty), { title: 'One', options: { devices: ['x'] } }).options, { devices: ['x'] });
});

t.test('titles: the schema’s, else the name as words', async t => {
  t.equal(titleOf('seconds', { title: 'Time' }), 'Time');
  for (const [name, title] of [
    ['discoverySeconds', 'Discovery seconds'],
    ['api_key', 'Api key'],
    ['largest-page', 'Largest page'],
    ['x', 'X'],
    ['', ''],
  ] as const)
    t.equal(titleOf(name), title);
});

t.test('a new entry of a list: the default, else the least that its schema allows', async t => {
  const rows: readonly (readonly [Schema | undefined, unknown])[] = [
    [undefined, ''],
    [{ type: 'string' }, ''],
    [{ type: 'string', default: 'a' }, 'a'],
    [{ enum: ['low', 'high'] }, 'low'],
    [{ type: 'boolean' }, false],
    [{ type: 'integer' }, 0],
    [{ type: 'number', minimum: 2.5 }, 2.5],
    [{ type: 'array', items: { type: 'string' } }, []],
    [{ type: 'object' }, {}],
  ];
  for (const [schema, value] of rows) t.same(emptyOf(schema), value, JSON.stringify(schema));
  const schema: Schema = {
    required: ['host'],
    properties: { host: { type: 'string' }, port: { type: 'integer', default: 443 }, user: { type: 'string' } },
  };
  t.same(emptyOf(schema), { host: '', port: 443 }, 'what is required, and defaults');
  const fallback = { a: [1] };
  const made = emptyOf({ default: fallback });
  t.same(made, fallback);
  t.not(made, fallback, 'a copy');
});
