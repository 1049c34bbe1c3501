import { fakeDriver } from '@platen/conformance';
import t from 'tap';
import { testService } from '../../../service.test.kit.js';

const headerOf = (headers: Readonly<Record<string, unknown>>): unknown =>
  JSON.parse(String(headers['platen-error'] ?? 'null'));

t.test('scan: a failed scan, the header has the code and the body the finished pages', async t => {
  const { app } = await testService(t, fakeDriver({ devices: [{ name: 'A' }], sheets: 3, faults: { 2: 'paper-jam' } }));
  const scan = (payload: object) =>
    app.inject({ method: 'POST', url: '/api/twain/scan', payload: { scannerName: 'A', ...payload } });
  const jammed = await scan({});
  t.match(jammed.json(), { success: false, status: 'PaperJam', imageCount: 1 });
  t.same(headerOf(jammed.headers), { code: 'paper-jam' });

  const refused = await scan({ parameters: { colorMode: 'Sepia' } });
  t.same(headerOf(refused.headers), {
    code: 'invalid-value',
    field: 'colorMode',
    allowed: ['Color', 'Grayscale', 'BlackAndWhite'],
  });
  t.same(Object.keys(refused.json()), ['success', 'error'], 'the body has nothing of it');
  t.match(
    headerOf((await scan({ parameters: { resolution: 99 } })).headers),
    { field: 'resolution', allowed: Array },
    'of what this scanner takes',
  );
});

t.test('POST /api/twain: a failure in the envelope is a 200 without the header', async t => {
  const { app } = await testService(t, fakeDriver());
  const payload = { kind: 'twainlocalscanner', method: 'scan' };
  const { statusCode, headers } = await app.inject({ method: 'POST', url: '/api/twain', payload });
  t.equal(statusCode, 200);
  t.equal(headerOf(headers), null);
});
