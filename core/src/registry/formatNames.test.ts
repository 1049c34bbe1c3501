/** Names of image formats: which ones clients may use, in any letter case. */
import t from 'tap';
import { formatAsked, imageFormatNames, outputFormatNames } from './formatNames.js';

const jpeg = { name: 'Jpeg', aliases: ['jpeg', 'jpg'] };
const png = { name: 'Png', aliases: ['png'] };
const webp = { name: 'Webp', aliases: ['webp', 'wp'] };
const loaded = [png, jpeg, webp];

t.test('names: the aliases of the interface’s formats are accepted as outputFormat only', async t => {
  t.same(imageFormatNames(loaded), ['Png', 'Jpeg', 'Webp', 'wp']);
  t.same(outputFormatNames(loaded), ['png', 'jpeg', 'jpg', 'webp', 'wp']);
  t.throws(() => formatAsked('imageFormat', 'JPG', loaded), {
    code: 'invalid-value',
    field: 'imageFormat',
    message: /: for JPG, send Jpeg$/,
  });
  t.equal(formatAsked('outputFormat', 'jpg', loaded), 'Jpeg');
});

t.test('formatAsked: names and aliases, in any letter case', async t => {
  for (const asked of ['Webp', 'WEBP', 'wp', 'Wp']) {
    t.equal(formatAsked('imageFormat', asked, loaded), 'Webp', asked);
    t.equal(formatAsked('outputFormat', asked, loaded), 'Webp', asked);
  }
  t.equal(formatAsked('imageFormat', 'jPEG', loaded), 'Jpeg');
});

t.test('formatAsked: one that is installed and not licensed passes', async t => {
  const whyNot = (kind: string, name: string): string | undefined =>
    kind === 'format' && name === 'Jxl' ? 'its licence ended' : undefined;
  t.equal(formatAsked('imageFormat', 'Jxl', loaded, whyNot), 'Jxl');
  t.throws(() => formatAsked('imageFormat', 'Gif', loaded, whyNot), { code: 'invalid-value' });
});

t.test('formatAsked: anything else, rejected with the loaded names', async t => {
  for (const asked of ['Gif', '', null, 3, ['Png'], 'image/png', undefined])
    t.throws(() => formatAsked('imageFormat', asked, loaded), {
      code: 'invalid-value',
      field: 'imageFormat',
      allowed: ['Png', 'Jpeg', 'Webp'],
    });
  t.throws(() => formatAsked('outputFormat', 'tiff', [png]), {
    code: 'invalid-value',
    field: 'outputFormat',
    allowed: ['png'],
  });
});
