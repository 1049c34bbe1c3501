import t from 'tap';
import type { Capabilities } from '../../client/shapes.js';
import { english } from '../words/english.test.kit.js';
import { formatsFor } from './parameters.js';
import { firstValues } from './settingValues.js';
import { both, settingsFor, small, testContext } from './settings.test.kit.js';

t.test('settings: none before a scanner is known, and why', async t => {
  const settings = settingsFor();
  t.equal(settings.parameters, undefined);
  settings.use(both);
  t.ok(settings.known);
  settings.say('settings.unread');
  t.equal(settings.absent, 'settings.unread');
  t.equal(settings.parameters, undefined);
  t.equal(settings.known, undefined);
  t.equal(settings.digest, '');
});

t.test('settings: a first visit sends the values of the page, the nearest that the scanner has', async t => {
  const settings = settingsFor();
  settings.use(both);
  t.same(settings.parameters, { ...firstValues, report: true });
  t.equal(settings.digest, '200 dpi · Colour · JPEG');
  settings.use(small, 'Small');
  t.same(settings.parameters, {
    ...firstValues,
    resolution: 100,
    colorMode: 'Grayscale',
    pageSize: 'A5',
    imageFormat: 'Png',
    barcodeReadingEnabled: false,
    ocrEnabled: false,
    report: true,
  });
});

t.test(
  'settings: only what the person changed is remembered; a scanner that lacks it does not change that',
  async t => {
    const context = testContext({ settings: { jpegQuality: 70 } });
    const settings = settingsFor(context);
    settings.use(small);
    t.equal(context.stored.has('profile'), false);
    settings.set('imageFormat', 'Png');
    const remembered = { ...firstValues, imageFormat: 'Png', jpegQuality: 70 };
    t.same(context.stored.get('settings'), remembered, 'not the resolution of this scanner');
    settings.use(both);
    t.match(settings.parameters, { resolution: 200, colorMode: 'Color', jpegQuality: 70, ocrEnabled: true });
    settings.set('resolution', 300);
    const next = settingsFor(testContext(Object.fromEntries(context.stored)));
    next.use(both);
    t.equal(next.parameters?.resolution, 300, 'at the next visit');
  },
);

t.test('settings: with a profile, only what the person changed is sent with it, and nothing is remembered', async t => {
  const context = testContext();
  const settings = settingsFor(context);
  settings.use(both);
  settings.chooseProfile('Invoices');
  t.equal(context.stored.get('profile'), 'Invoices');
  t.same(settings.parameters, { profile: 'Invoices', report: true });
  t.match(settings.shown?.values, { resolution: 150, colorMode: 'Grayscale', ocrEnabled: false });
  settings.set('resolution', 75);
  settings.setDriverOption('backing', 'white');
  settings.setSwitch({ field: 'process', name: 'despeckle', options: [] }, false);
  t.same(settings.parameters, {
    profile: 'Invoices',
    resolution: 75,
    driverOptions: { backing: 'white' },
    process: {},
    report: true,
  });
  t.same([...context.stored.keys()], ['profile']);
  settings.chooseProfile('');
  t.equal(settings.parameters?.resolution, 200, 'the person’s own values again');
});

t.test('settings: the whole page instead of the area of a profile', async t => {
  const settings = settingsFor(testContext({ profile: 'Corner' }));
  settings.use(both);
  t.same(settings.area, { x: 0, y: 0, width: 50, height: 40 });
  t.ok(settings.opensArea);
  t.same(settings.parameters, { profile: 'Corner', report: true });
  settings.wish('area', undefined);
  t.same(settings.parameters, { profile: 'Corner', pageSize: 'Letter', report: true });
});

t.test('settings: a profile that is gone', async t => {
  const settings = settingsFor(testContext({ profile: 'Gone' }));
  settings.use(both);
  t.notOk('profile' in (settings.parameters ?? {}));
});

t.test('settings: the later of area and page size counts', async t => {
  const settings = settingsFor();
  settings.use(both);
  const area = { x: 1, y: 2, width: 30, height: 40 };
  settings.takeArea(area);
  t.match(settings.parameters, { source: 'Flatbed', area, duplexMode: 'Simplex' });
  t.ok(settings.isFlatbed);
  settings.set('pageSize', 'A5');
  t.equal(settings.area, undefined);
  t.match(settings.parameters, { source: 'Flatbed', pageSize: 'A5' });
  settings.takeArea(area);
  settings.takeArea(undefined);
  t.notOk('area' in (settings.parameters ?? {}));
  t.equal(settings.parameters?.source, 'Flatbed', 'it stays the source');
});

t.test('settings: an area is made to fit the other source', async t => {
  const settings = settingsFor();
  settings.use(both);
  settings.wish('source', 'Feeder');
  settings.wish('area', { x: 0, y: 100, width: 215.9, height: 255.6 });
  settings.wish('source', 'Flatbed');
  t.same(settings.area, { x: 0, y: 100, width: 210, height: 197 });
});

t.test(
  'settings: the same scanner keeps what depends on its source when it is read again, another does not',
  async t => {
    const settings = settingsFor();
    settings.use(both, 'One');
    settings.wish('sheets', 3);
    settings.use(both, 'One');
    t.equal(settings.parameters?.sheets, 3);
    if (settings.known) settings.show(settings.known);
    t.equal(settings.parameters?.sheets, 3, 'shown again, as after a change of what is fixed');
    settings.use(both, 'Other');
    settings.use(both, 'One');
    t.notOk('sheets' in (settings.parameters ?? {}));
  },
);

t.test('settings: plugins that are switched on are remembered', async t => {
  const context = testContext({ plugins: ['of another program'] });
  const settings = settingsFor(context);
  settings.use(both);
  t.notOk('process' in (settings.parameters ?? {}));
  settings.setSwitch({ field: 'process', name: 'despeckle', options: [] }, true);
  settings.setPluginOption({ field: 'process', name: 'despeckle', options: [] }, 'radius', 4);
  settings.setReader('barcode', 'second');
  const wishes = { process: { despeckle: { radius: 4 } }, readers: { barcode: 'second' } };
  t.match(settings.parameters, wishes);
  t.same(context.stored.get('plugins'), wishes);
  const next = settingsFor(testContext({ plugins: wishes }));
  next.use(both);
  t.match(next.parameters, wishes);
});

t.test('settings: a change is drawn', async t => {
  const settings = settingsFor();
  settings.use(both);
  settings.context.done.length = 0;
  settings.set('ocrEnabled', false);
  settings.wish('brightness', 10);
  settings.setReader('barcode', 'second');
  t.same(new Set(settings.context.done), new Set(['changed']));
  t.equal(settings.context.done.length >= 3, true);
});

t.test('settings: the digest is in the language of the moment', async t => {
  const settings = settingsFor();
  settings.use(both);
  Object.assign(settings.context, { words: Object.assign(() => 'ein Wort', english) });
  t.match(settings.digest, /ein Wort · ein Wort · JPEG/);
});

t.test('settings: JPEG at first; black and white is lossless, and colour then is as before', async t => {
  const settings = settingsFor();
  settings.use(both);
  t.match(settings.parameters, { imageFormat: 'Jpeg', jpegQuality: 80 });
  settings.set('colorMode', 'BlackAndWhite');
  t.match(settings.parameters, { imageFormat: 'Png' });
  t.match(settings.digest, /PNG/);
  settings.set('colorMode', 'Grayscale');
  t.match(settings.parameters, { imageFormat: 'Jpeg' });
  settings.set('imageFormat', 'Png');
  t.match(settings.parameters, { imageFormat: 'Png' }, 'the person wants it lossless');
  t.same(formatsFor(settings.shown!, { colorMode: 'BlackAndWhite' }), { offered: ['Png'], chosen: 'Png' });
  settings.chooseProfile('Invoices');
  t.notOk('imageFormat' in settings.parameters!, 'with a profile, the administrator chose');
});

t.test('settings: plugins went and came back, what was chosen is there again', async t => {
  const { formats = [], sources = {} } = both.details ?? {};
  const without: Capabilities = {
    ...both,
    details: { sources, formats: formats.slice(0, 1), documents: [], recognisers: [], processors: [] },
  };
  for (const profile of ['', 'Invoices']) {
    const settings = settingsFor();
    settings.use(both);
    settings.chooseProfile(profile);
    settings.set('ocrEnabled', true);
    settings.set('imageFormat', 'Jpeg');
    settings.wish('brightness', 20);
    const before = settings.parameters;
    t.match(before, { ocrEnabled: true, imageFormat: 'Jpeg', brightness: 20 }, profile);
    const { profiles } = settings.known ?? { profiles: {} };
    settings.showAgain({ scanner: 'Scanner', can: without, profiles });
    t.notOk(settings.parameters?.ocrEnabled, profile);
    t.match(settings.shown?.values, { ocrEnabled: false, imageFormat: 'Png' });
    t.match(settings.parameters, { brightness: 20 }, 'the rest stays');
    settings.set('resolution', 300);
    settings.showAgain({ scanner: 'Scanner', can: both, profiles });
    t.same(settings.parameters, { ...before, resolution: 300 }, profile);
  }
});

t.test('settings: the profile itself was changed, it counts', async t => {
  const settings = settingsFor();
  settings.use(both);
  settings.chooseProfile('Invoices');
  settings.set('resolution', 300);
  settings.showAgain({ scanner: 'Scanner', can: both, profiles: { Invoices: { resolution: 75 } } });
  t.equal(settings.shown?.values.resolution, 75);
});
