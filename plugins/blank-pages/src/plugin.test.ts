/** The plugin: its recogniser, without options, closed with it. */
import { nullLog } from '@platen/core/plugin';
import t from 'tap';
import { scanned } from './testing/pages.js';
import plugin from './plugin.js';

t.test('setup: one recogniser of blank pages, closed with the plugin', async t => {
  t.equal(plugin.optionsSchema, undefined);
  const { recognisers = [], close } = await plugin.setup({ options: {}, log: nullLog, dataDir: '/' });
  t.equal(recognisers.length, 1);
  const [recogniser] = recognisers;
  if (recogniser?.kind !== 'blank') return t.fail('there is no recogniser of blank pages');
  const page = await scanned({
    seed: 2,
    wide: 105,
    high: 148,
    dpi: 100,
    pixels: 'gray8',
    paper: [240, 240, 240],
    front: '',
    grain: 2,
  });
  const call = { signal: new AbortController().signal };
  t.match(await recogniser.read(page, {}, call), { isBlank: true, ink: 0, why: String });
  await close?.();
  await close?.();
  await t.rejects(recogniser.read(page, {}, call), /closed/);
});
