/** Pages with one bit per pixel, from devices with a format for them. */
import type { Page } from '@platen/core/plugin';
import t from 'tap';
import { rigOf } from './rig.test.kit.js';

const signal = new AbortController().signal;
const order = {
  source: 'feeder',
  resolution: 150,
  colorMode: 'BlackAndWhite',
  duplexMode: 'Simplex',
  pageSize: 'A6',
  adjustments: [],
  maxPixels: 1e7,
} as const;

t.test('scan: black and white as TIFF', async t => {
  const rig = await rigOf({ formats: ['image/jpeg', 'image/tiff'] });
  t.teardown(() => rig.dispose?.());
  const session = await rig.driver.open(rig.deviceId, { signal });
  t.strictSame((await session.capabilities({ signal })).feeder?.colorModes, ['Color', 'Grayscale', 'BlackAndWhite']);
  rig.device.load(1);
  const pages: Page[] = [];
  for await (const page of session.scan(order, { signal, stop: signal })) pages.push(page);
  t.match(pages, [{ kind: 'encoded', mimeType: 'image/tiff', pixels: 'bw1', dpi: 150, width: 620, height: 874 }]);
});
