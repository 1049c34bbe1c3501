import t from 'tap';
import { optionsOf, type Options } from './options.js';

function optionsIn(attributes: Readonly<Record<string, string>>, given?: Options['parameters']): Options {
  return optionsOf(name => attributes[name] ?? null, given);
}

/** What the console says meanwhile. */
function warnings(t: { teardown(end: () => void): void }): string[] {
  const said: string[] = [];
  const { warn } = console;
  console.warn = (text: string) => void said.push(text);
  t.teardown(() => (console.warn = warn));
  return said;
}

t.test('options: without attributes, pages are handed over as one PDF', async t => {
  const said = warnings(t);
  t.same(optionsIn({}), {
    scanner: undefined,
    profile: undefined,
    format: 'pdf',
    parameters: {},
    actions: new Set(['done']),
  });
  t.same(said, []);
});

t.test('options: of attributes; a property goes before its attribute', async t => {
  const said = warnings(t);
  const attributes = {
    scanner: 'Feeder A',
    profile: 'Invoices',
    format: 'images',
    parameters: '{"resolution": 300, "recognise": {"stamp": true}}',
    actions: ' save  print\nfacts ',
  };
  t.same(optionsIn(attributes), {
    scanner: 'Feeder A',
    profile: 'Invoices',
    format: 'images',
    parameters: { resolution: 300, recognise: { stamp: true } },
    actions: new Set(['save', 'print', 'facts']),
  });
  t.same(optionsIn(attributes, { resolution: 75 }).parameters, { resolution: 75 });
  t.same(optionsIn({ actions: '' }).actions, new Set(), 'none');
  t.same(said, []);
});

t.test('options: what is not valid is as if it were absent, and the console names it', async t => {
  const said = warnings(t);
  t.same(optionsIn({ actions: 'done shred' }).actions, new Set(['done']));
  t.match(said.splice(0), [/"actions".*"shred"/]);
  for (const parameters of ['{', '[]', '"fast"', 'null', '3']) {
    t.same(optionsIn({ parameters }).parameters, {}, parameters);
    t.match(said.splice(0), [/"parameters"/], parameters);
  }
});
