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
    accepts: 'one of Color, Grayscale, BlackAndWhite',
    allowed: ['Color', 'Grayscale', 'BlackAndWhite'],
  });
  t.same(Object.keys(refused.json()), ['success', 'error'], 'the body has nothing of it');
  t.match(
    headerOf((await scan({ parameters: { resolution: 99 } })).headers),
    { field: 'resolution', allowed: Array },
    'of what this scanner takes',
  );
});

t.test('scan: for a scanner that is not there, refused without keeping others from scanning', async t => {
  const { app } = await testService(t, fakeDriver({ devices: [{ name: 'A' }], sheets: 1 }));
  const scan = async (scannerName: string, url: string) =>
    (await app.inject({ method: 'POST', url, payload: { scannerName } })).statusCode;
  for (const [url, done] of [
    ['/api/twain/scan', 200],
    ['/api/scans', 201],
  ] as const)
    t.same(await Promise.all(['No', 'No', 'No', 'A'].map(name => scan(name, url))), [404, 404, 404, done], url);
});

t.test('POST /api/twain: a failure in the envelope is a 200 without the header', async t => {
  const { app } = await testService(t, fakeDriver());
  const payload = { kind: 'twainlocalscanner', method: 'scan' };
  const { statusCode, headers } = await app.inject({ method: 'POST', url: '/api/twain', payload });
  t.equal(statusCode, 200);
  t.equal(headerOf(headers), null);
});
