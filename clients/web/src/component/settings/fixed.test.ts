import t from 'tap';
import { isFixed } from './parameters.js';
import { both, settingsFor, testContext } from './settings.test.kit.js';

t.test('fixed: always sent, and neither remembered nor shown as the person’s', async t => {
  const context = testContext();
  const settings = settingsFor(context, { imageFormat: 'Png', separate: { by: 'patch' } });
  settings.use(both);
  t.match(settings.parameters, { imageFormat: 'Png', separate: { by: 'patch' }, resolution: 200 });
  t.equal(settings.digest, '200 dpi · Colour · PNG');
  settings.set('resolution', 75);
  t.match(context.stored.get('settings'), { imageFormat: 'Jpeg', resolution: 75 });
});

t.test('fixed: a profile', async t => {
  const context = testContext({ profile: 'Corner' });
  const settings = settingsFor(context, { profile: 'Invoices', resolution: 300 });
  settings.use(both);
  t.same(settings.parameters, { profile: 'Invoices', resolution: 300, report: true });
  settings.set('ocrEnabled', true);
  t.same(settings.parameters, { profile: 'Invoices', resolution: 300, ocrEnabled: true, report: true });
  t.equal(context.stored.get('profile'), 'Corner', 'the person’s choice for other pages stays');
});

t.test('fixed: a profile that the service lacks is the service’s to refuse', async t => {
  const settings = settingsFor(testContext(), { profile: 'Gone' });
  settings.use(both);
  t.same(settings.parameters, { profile: 'Gone', report: true });
});

t.test('fixed: the source', async t => {
  const settings = settingsFor(testContext(), { source: 'Flatbed' });
  settings.use(both);
  t.ok(settings.isFlatbed);
  t.match(settings.parameters, { source: 'Flatbed', duplexMode: 'Simplex' });
  const feeder = settingsFor(testContext(), { source: 'Feeder' });
  feeder.use(both);
  feeder.takeArea({ x: 0, y: 0, width: 20, height: 20 });
  t.equal(feeder.parameters?.source, 'Feeder');
});

t.test('fixed: a page size is not replaced by an area', async t => {
  const area = { x: 0, y: 0, width: 20, height: 20 };
  const settings = settingsFor(testContext(), { pageSize: 'A4' });
  settings.use(both);
  settings.takeArea(area);
  t.equal(settings.area, undefined);
  t.equal(settings.parameters?.pageSize, 'A4');
  t.notOk('area' in (settings.parameters ?? {}));
  t.ok(isFixed({ pageSize: 'A4' }, 'area'));
  t.ok(isFixed({ area }, 'pageSize'));
  t.notOk(isFixed({ area }, 'sheets'));
});

t.test('fixed: a threshold applies with a fixed colour mode', async t => {
  const settings = settingsFor(testContext(), { colorMode: 'BlackAndWhite', source: 'Feeder' });
  settings.use(both);
  settings.wish('threshold', 100);
  t.match(settings.parameters, { colorMode: 'BlackAndWhite', threshold: 100 });
});

t.test('fixed: options of a driver and plugins, each by its name', async t => {
  const settings = settingsFor(testContext(), {
    driverOptions: { lamp: 7 },
    process: { despeckle: { radius: 2 } },
    recognise: { stamp: {} },
  });
  settings.use(both);
  settings.wish('source', 'Feeder');
  settings.setDriverOption('backing', 'black');
  settings.setReader('barcode', 'second');
  t.match(settings.parameters, {
    driverOptions: { lamp: 7, backing: 'black' },
    process: { despeckle: { radius: 2 } },
    recognise: { stamp: {} },
    readers: { barcode: 'second' },
  });
});
