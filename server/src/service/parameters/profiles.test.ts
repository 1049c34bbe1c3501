/** What a request means together with its profile. */
import { fakeFormat, fakeRecogniser } from '@platen/conformance';
import { createRegistry } from '@platen/core';
import t from 'tap';
import {
  checkedProfiles,
  checkProfileWords,
  withDirectProfile,
  withProfile,
  type Profile,
  type Profiles,
} from './profiles.js';

const area = { x: 0, y: 0, width: 10, height: 10 };
const profiles: Profiles = {
  invoices: { resolution: 300, imageFormat: 'Jpeg', driverOptions: { lamp: 'cold', gain: 2 } },
  part: { area, pageSize: 'A5' },
};

t.test('withProfile: the profile, and before it the values of the request', async t => {
  t.same(withProfile(undefined, profiles), {});
  t.same(withProfile({ resolution: 200 }, profiles), { resolution: 200 });
  t.same(withProfile({ profile: 'invoices' }, profiles), profiles['invoices']);
  const own = { profile: 'invoices', resolution: 200, colorMode: 'Color', driverOptions: { gain: 1 } } as const;
  t.same(withProfile(own, profiles), {
    resolution: 200,
    colorMode: 'Color',
    imageFormat: 'Jpeg',
    driverOptions: { lamp: 'cold', gain: 1 },
  });
  t.same(withProfile({ profile: 'part' }, profiles), { area, pageSize: 'A5' });
  t.same(withProfile({ profile: 'part', pageSize: 'A4' }, profiles), { pageSize: 'A4' }, 'not the area of the profile');
});

t.test('withProfile: a profile that there is not, refused with those that there are', async t => {
  t.throws(() => withProfile({ profile: 'x' }, profiles), { code: 'invalid-value', message: /invoices, part/ });
  t.throws(() => withProfile({ profile: 'toString' }, profiles), { code: 'invalid-value' });
  t.throws(() => withProfile({ profile: 'x' }, {}), { code: 'invalid-value', message: /no profiles/ });
});

t.test('withDirectProfile: the format under its other name', async t => {
  t.match(withDirectProfile({ profile: 'invoices' }, profiles), { outputFormat: 'jpeg', imageFormat: undefined });
  t.match(withDirectProfile({ profile: 'invoices', outputFormat: 'png' }, profiles), { outputFormat: 'png' });
  t.same(withDirectProfile({ imageFormat: 'Jpeg' }, profiles), {}, 'imageFormat is ignored here');
});

t.test('checkedProfiles: as requests are, and without unknown fields', async t => {
  const refused = (invoices: object): unknown => {
    try {
      return checkedProfiles({ good: { resolution: 300 }, invoices }, { file: 'platen.json' });
    } catch (error) {
      return error;
    }
  };
  const cases: [object, string, string][] = [
    [{ jpegQuality: 101 }, 'invalid-value', 'profiles.invoices.jpegQuality'],
    [{ colorMode: 'Grey' }, 'invalid-value', 'profiles.invoices.colorMode'],
    [{ area: { x: 0, y: 0, width: 0, height: 1 } }, 'invalid-value', 'profiles.invoices.area.width'],
    [{ resolutoin: 300 }, 'unknown-key', 'profiles.invoices.resolutoin'],
    [{ profile: 'other' }, 'unknown-key', 'profiles.invoices.profile'],
  ];
  for (const [invoices, code, path] of cases)
    t.match(refused(invoices), { name: 'ConfigError', code: 'configuration', problems: [{ code, path }] });
  const good = { area: { x: 0, y: 0, width: 9.5, height: 1 }, driverOptions: { lamp: 'warm' } };
  t.same(refused(good), { good: { resolution: 300 }, invoices: good });
});

t.test('checkProfileWords: the words of loaded plugins, and fields that belong together', async t => {
  const registry = createRegistry();
  registry.add('@acme/all', {
    formats: [fakeFormat({ name: 'Png' }), fakeFormat({ name: 'WebP' })],
    recognisers: [fakeRecogniser('barcode'), fakeRecogniser('patch')],
  });
  const refused = (invoices: Profile): unknown => {
    try {
      return checkProfileWords(
        { good: { imageFormat: 'WebP', recognise: { patch: {} } }, invoices },
        { file: 'c' },
        registry,
      );
    } catch (error) {
      return error;
    }
  };
  const cases: [Profile, string, RegExp][] = [
    [{ imageFormat: 'Gif' }, 'imageFormat', /Png, WebP/],
    [{ barcodeFormats: ['QrCode', 'Runes'] }, 'barcodeFormats[1]', /QrCode/],
    [{ recognise: { stamp: {} } }, 'recognise', /patch/],
    [{ recognise: { patch: { least: 1 } } }, 'recognise.patch.least', /./],
    [{ process: { despeckle: {} } }, 'process', /despeckle/],
    [{ readers: { barcode: '@other/barcode' } }, 'readers.barcode', /@acme\/all/],
    [{ separate: { by: 'count' } }, 'separate.pages', /./],
  ];
  for (const [invoices, field, accepts] of cases) {
    const path = `profiles.invoices.${field}`;
    t.match(refused(invoices), { name: 'ConfigError', problems: [{ path, code: 'invalid-value', accepts }] }, field);
    t.match((refused(invoices) as Error).message.split('\n'), [path], 'one line, which names the field');
  }
  t.equal(refused({ imageFormat: 'Png' }), undefined);
});
