/** The packed types of `<platen-scan>`, as an application's compiler sees them; an older one: componentTypes.long.test.ts. */
import t from 'tap';
import { application, client, compiled, events, newest, underFrameworks } from './componentApplication.js';

t.test('types: every packed declaration, and typed events, without a framework', async t => {
  const folder = application(t, { 'events.ts': events });
  const declarations = client.files.filter(file => file.endsWith('.d.ts'));
  t.ok(declarations.includes('dist/component.d.ts'));
  const files = [...declarations.map(file => `node_modules/@platen/client/${file}`), 'events.ts'];
  t.equal(compiled(newest, folder, files), '');
});

t.test("types: the element in React's JSX and among Vue's components", async t => {
  t.equal(underFrameworks(t, newest), '');
});

t.test('types: React without its types, as if it were not there', async t => {
  const folder = application(t, {
    'events.ts': events,
    'node_modules/react/package.json': '{ "name": "react", "main": "index.js" }',
    'node_modules/react/index.js': 'module.exports = {};',
  });
  t.equal(compiled(newest, folder, ['events.ts']), '');
});
