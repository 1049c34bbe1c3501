/** The plugin: its options, its recogniser, and no network access. */
import { nullLog } from '@platen/core/plugin';
import t from 'tap';
import { sheet, texts } from './pages.test.kit.js';
import plugin from './plugin.js';
import { openZxing } from './zxing.js';

const call = { signal: new AbortController().signal };
const wishes = { filterLevel: 'Normal', formats: [], stopAfterFirst: false } as const;

t.test('optionsSchema: every option has a description, unknown ones are rejected', async t => {
  const schema = plugin.optionsSchema as {
    additionalProperties: boolean;
    properties: Record<string, { description?: string }>;
  };
  t.equal(schema.additionalProperties, false);
  for (const [name, { description }] of Object.entries(schema.properties)) t.ok(description, name);
});

t.test('setup: one recogniser, closed with the plugin', async t => {
  const { recognisers = [], close } = await plugin.setup({
    options: { workers: 1, thorough: true },
    log: nullLog,
    dataDir: '/',
  });
  const [recogniser] = recognisers;
  if (recogniser?.kind !== 'barcode') return t.fail('there is no barcode recogniser');
  const page = await sheet({
    width: 40,
    height: 40,
    text: false,
    codes: [{ symbology: 'QrCode', text: texts.QrCode, x: 20, y: 20 }],
  });
  t.strictSame(await recogniser.read(page, wishes, call), [
    { text: texts.QrCode, barcodeType: 'QR_CODE', confidence: 0.996 },
  ]);
  await close?.();
  await t.rejects(recogniser.read(page, wishes, call), /closed/);
});

t.test('thorough: false, only upright codes', async t => {
  const codes = [
    { symbology: 'Code128', text: 'A-1', x: 40, y: 30 },
    { symbology: 'Code128', text: 'B-2', x: 40, y: 75, angle: 45 },
  ] as const;
  const page = await sheet({ width: 80, height: 105, codes });
  const found = async (thorough: boolean) => {
    const { recognisers = [], close } = await plugin.setup({
      options: { workers: 1, thorough },
      log: nullLog,
      dataDir: '/',
    });
    const [recogniser] = recognisers;
    const barcodes =
      recogniser && !recogniser.wishes && recogniser.kind === 'barcode'
        ? await recogniser.read(page, wishes, call)
        : [];
    await close?.();
    return barcodes.map(({ text }) => text);
  };
  t.strictSame([await found(false), await found(true)], [['A-1'], ['A-1', 'B-2']]);
});

t.test('openZxing: without a compiled reader, an error and no fetch', async t => {
  const real = globalThis.fetch;
  t.teardown(() => (globalThis.fetch = real));
  let fetched = 0;
  globalThis.fetch = () => {
    fetched++;
    return Promise.reject(new Error('no network'));
  };
  await t.rejects(openZxing({} as never), Error);
  t.equal(fetched, 0);
});
