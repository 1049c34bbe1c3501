/** The plugin: its options, its recogniser, and its end. */
import { nullLog } from '@platen/core/plugin';
import t from 'tap';
import { page, patch } from './pages.test.kit.js';
import plugin from './plugin.js';

const call = { signal: new AbortController().signal };

t.test('optionsSchema: every option has a description, unknown ones are rejected', async t => {
  const schema = plugin.optionsSchema as {
    additionalProperties: boolean;
    properties: Record<string, { description?: string }>;
  };
  t.equal(schema.additionalProperties, false);
  for (const [name, { description }] of Object.entries(schema.properties)) t.ok(description, name);
});

t.test('setup: one recogniser, closed with the plugin', async t => {
  for (const options of [{}, { workers: 1 }]) {
    const { recognisers = [], close } = await plugin.setup({ options, log: nullLog, dataDir: '/' });
    const [recogniser] = recognisers;
    if (recogniser?.kind !== 'patch') return t.fail('there is no recogniser of patch codes');
    t.equal(await recogniser.read(page(patch({ code: 'T', edge: 'left' })), {}, call), 'T');
    t.equal(await recogniser.read(page([]), {}, call), undefined);
    await close?.();
    await t.rejects(recogniser.read(page([]), {}, call), /closed/);
  }
});
