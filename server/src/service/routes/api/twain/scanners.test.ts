/** `GET /api/twain/scanners`: the interface's fields, and what `details=true` adds. */
import { fakeClock, fakeDriver } from '@platen/conformance';
import t from 'tap';
import { buildApp } from '../../../app.js';
import { composeFakes } from '../../../compose.test.kit.js';
import { A, B, service } from '../scans/scans.test.kit.js';

t.test('scanners: one of the last run has only the fields of the interface, and says it with details=true', async t => {
  const { routeParts } = await composeFakes(t, { drivers: [fakeDriver()] }, {});
  const { scans } = routeParts;
  // As in the first moments after a restart, before the driver has looked.
  const list = async () => (await scans.list()).map(known => ({ ...known, remembered: true as const }));
  const app = await buildApp({
    routeParts: { ...routeParts, scans: { ...scans, list } },
    security: { allowedHosts: ['localhost'] },
  });
  t.teardown(() => app.close());
  const get = async (query: string) => {
    const { scanners } = (await app.inject(`/api/twain/scanners${query}`)).json() as { scanners: object[] };
    return Object.keys(scanners[0] ?? {}).sort();
  };
  const fields = ['hasFeeder', 'hasFlatbed', 'isOnline', 'manufacturer', 'model', 'name', 'supportsDuplex'];
  t.same(await get(''), fields);
  t.same(await get('?details=true'), [...fields, 'isRemembered'].sort());
});

t.test('scanners: one in use, details=true says whether it is the own page', async t => {
  const { call } = await service(t, { devices: [{ name: 'Desk' }, { name: 'Hall' }] });
  const [a, b] = [{ origin: A }, { origin: B }];
  const uses = async (headers: Readonly<Record<string, string>>, query = '?details=true') => {
    const { scanners } = (await call('GET', `/api/twain/scanners${query}`, headers)).json<Listed>();
    return scanners.map(({ inUse }) => inUse);
  };
  t.same(await uses(a), [undefined, undefined]);
  t.match(await call('POST', '/api/twain/autoscan/enable', a, { scannerName: 'Hall' }), { statusCode: 200 });
  t.same(await uses(a), [undefined, 'own']);
  t.same(await uses(b), [undefined, 'other']);
  t.same(await uses({}), [undefined, 'other']);
  t.same(await uses(a, ''), [undefined, undefined]);
  await call('POST', '/api/twain/autoscan/disable', a, {});
  t.same(await uses(a), [undefined, undefined]);
});

t.test('scanners: one in use by a page with the opaque origin, no page is told that it is its own', async t => {
  const { call } = await service(t, { devices: [{ name: 'Desk' }] });
  const opaque = { origin: 'null' };
  t.match(await call('POST', '/api/twain/autoscan/enable', opaque, { scannerName: 'Desk' }), { statusCode: 200 });
  const { scanners } = (await call('GET', '/api/twain/scanners?details=true', opaque)).json<Listed>();
  t.match(scanners, [{ inUse: 'other' }]);
});

t.test('scanners: search=false, the known ones at once, and no driver searches', async t => {
  const clock = fakeClock();
  const { call, driver } = await service(t, {}, { clock });
  const names = async (query: string) => {
    const { scanners } = (await call('GET', `/api/twain/scanners${query}`)).json<Listed>();
    return scanners.map(({ name }) => name);
  };
  t.same(await names(''), ['A']);
  const { discoveries } = driver;
  for (let turn = 0; turn < 10; turn++) {
    await clock.advance(5000);
    t.same(await names('?details=true&search=false'), ['A']);
  }
  t.equal(driver.discoveries, discoveries);
  t.match(await call('GET', '/api/twain/scanners?search=maybe'), { statusCode: 400 });
});

interface Listed {
  readonly scanners: readonly { readonly name: string; readonly inUse?: string }[];
}
