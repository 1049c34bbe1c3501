import t from 'tap';
import { offered, offersOf } from './offers.js';
import { firstValues } from './settingValues.js';
import { both, small } from './settings.test.kit.js';

t.test('offers: what the scanner and the plugins have, of what a scan accepts', async t => {
  const offers = offersOf(both);
  t.same(offers.sizes, ['Auto', 'A4', 'A5', 'Letter'], 'a scan does not accept A3');
  t.same(offers.improvements, ['autoDeskew']);
  t.same(offers.missing, ['blank']);
  t.same(offers.blanks, ['keep']);
  t.same(offersOf(small).sides, ['Simplex']);
  const { details: _, ...without } = both;
  t.match(offersOf(without), { formats: [], missing: ['barcode', 'ocr', 'blank'] });
});

t.test('offers: a value that is not offered becomes the nearest one that is', async t => {
  const wanted = {
    ...firstValues,
    resolution: 160,
    duplexMode: 'DuplexLongEdge',
    autoRotate: true,
    autoDeskew: true,
    imageFormat: 'Tiff',
    jpegQuality: 0,
    blankPages: 'drop',
  } as const;
  t.match(offered(wanted, offersOf(both)), {
    resolution: 150,
    duplexMode: 'DuplexLongEdge',
    autoRotate: false,
    autoDeskew: true,
    imageFormat: 'Png',
    jpegQuality: 1,
    blankPages: 'keep',
  });
  t.match(offered(wanted, offersOf(small)), { duplexMode: 'Simplex', pageSize: 'A5', barcodeReadingEnabled: false });
});
