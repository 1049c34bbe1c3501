/** `GET /api/twain/scanners`: the interface's fields, and what `details=true` adds. */
import { fakeDriver } from '@platen/conformance';
import t from 'tap';
import { buildApp } from '../../../app.js';
import { composeFakes } from '../../../compose.test.kit.js';

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
