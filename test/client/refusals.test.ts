/** A refused request: the error says which field, and what it takes. */
import { createClient, PlatenError } from '@platen/client';
import t from 'tap';
import { start } from '../spec/specTest.js';
import { sheets } from '../topology/sheets.js';
import { virtualTopology } from '../topology/virtualTopology.js';
import { relayTo } from './relay.js';

const fixture = await start(t, virtualTopology, { recognisers: ['@platen/document-pdf'] });
const client = createClient({ baseUrl: (await relayTo(t, fixture)).url });
const scanner = fixture.name('duplex');

const refusal = async (promise: Promise<unknown>): Promise<PlatenError> =>
  promise.then(
    () => Promise.reject(new Error('It was not refused.')),
    (error: unknown) => (error instanceof PlatenError ? error : Promise.reject(error)),
  );

/** Parameters that a request may not have: the field, and what it takes if that can be listed. */
const cases: readonly (readonly [parameters: object, field: string, allowed?: readonly unknown[]])[] = [
  [{ colorMode: 'Sepia' }, 'colorMode', ['Color', 'Grayscale', 'BlackAndWhite']],
  [{ resolution: 1 }, 'resolution', [75, 100, 150, 200, 300]],
  [{ imageFormat: 'Gif' }, 'imageFormat', ['Png', 'Jpeg', 'Tiff', 'Bmp']],
  [{ source: 'Flatbed' }, 'source', ['Feeder', 'Auto']],
  [{ jpegQuality: 500 }, 'jpegQuality'],
  [{ area: { x: 0, y: 0, width: 5000, height: 10 } }, 'area'],
  [{ driverOptions: { lamp: 1 } }, 'driverOptions.lamp'],
  [{ profile: 'none' }, 'profile', []],
];

t.test('refused: which field, and the values that it takes', async t => {
  for (const [parameters, field, allowed] of cases) {
    const calls = {
      scan: () => client.scan(scanner, parameters),
      startScan: () => client.startScan(scanner, parameters),
      autoScan: () => client.autoScan(scanner, parameters).next(),
    };
    for (const [name, call] of Object.entries(calls)) {
      const { code, httpStatus, message, ...error } = await refusal(call());
      const what = `${name} ${field}`;
      t.same([code, httpStatus, error.field], ['invalid-value', 400, field], what);
      t.ok(message.startsWith(`${field} takes `), message);
      t.same(error.allowed, allowed, what);
    }
  }
  t.same(await client.listScans(), []);
});

t.test('refused: without the header, the body of a scan that is kept says the same', async t => {
  const withoutHeader: typeof fetch = async (...request) => {
    const answer = await fetch(...request);
    const headers = new Headers(answer.headers);
    headers.delete('platen-error');
    return new Response(answer.body, { status: answer.status, headers });
  };
  const far = createClient({ baseUrl: client.baseUrl, fetch: withoutHeader });
  const { code, field, allowed } = await refusal(far.startScan(scanner, { colorMode: 'Sepia' as 'Color' }));
  t.same([code, field, allowed], ['invalid-value', 'colorMode', ['Color', 'Grayscale', 'BlackAndWhite']]);
  const { code: none } = await refusal(far.resumeScan('none'));
  t.equal(none, 'scan-not-found', 'not an older service');
});

t.test('refused: a document, and its values', async t => {
  await fixture.load('duplex', sheets(1));
  const scan = await client.startScan(scanner, { resolution: 75 });
  for await (const page of scan.pages()) t.equal(page.number, 1);
  const refused = await refusal(scan.document('docx'));
  t.match(refused, { code: 'invalid-value', field: 'format' });
  t.ok(refused.allowed?.includes('pdf'), String(refused.allowed));
  await scan.done();
});

t.test('other errors have no field', async t => {
  const { code, field, allowed } = await refusal(client.scan('none'));
  t.same([code, field, allowed], ['device-not-found', undefined, undefined]);
});
