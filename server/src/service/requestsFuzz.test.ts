/** Damaged JSON bodies, raw bodies and queries, to every route that takes one: never a failure of the service. */
import { damaged, damagedJson, fuzzed, type Json } from '@platen/conformance/fuzz';
import * as fc from 'fast-check';
import type { LightMyRequestResponse } from 'fastify';
import t from 'tap';
import { documentService } from './routes/api/scans/document.test.kit.js';
import { errorHeader } from './http/answers/errorHeader.js';

const BODY_RUNS = 170;
const QUERY_RUNS = 130;

const parameters: Json = {
  ...{ resolution: 300, colorMode: 'Color', duplexMode: 'DuplexLongEdge', pageSize: 'A4', imageFormat: 'png' },
  ...{ autoRotate: true, autoDeskew: false, autoCrop: true, jpegQuality: 80, barcodeReadingEnabled: true },
  ...{ barcodeFilterLevel: 'High', barcodeFormats: ['QR_CODE'], barcodeStopAfterFirst: true, ocrEnabled: true },
  ...{ blankPages: 'flag', requestTimeoutSeconds: 9, recognise: { a: {} }, process: { b: {} }, readers: { c: 'd' } },
  ...{ source: 'Feeder', sheets: 2, area: { x: 1, y: 2, width: 30, height: 40 }, brightness: 3, contrast: -3 },
  ...{ threshold: 9, driverOptions: { e: 1 }, profile: 'f', report: true, separate: { by: 'Pages', pages: 2 } },
};
const few: Json = { resolution: 200, colorMode: 'Grayscale' };
const request = (its: Json): Json => ({ scannerName: 'A', requestId: 'r-1', parameters: its });
const command = (method: string, params: Json): Json => ({ kind: 'twainlocalscanner', commandId: 'c', method, params });

const { app, call, ended, started } = await documentService(t, { devices: [{ name: 'A' }], sheets: 3 });
const scan = await ended(await started());
const documents: Json = {
  ...{ format: 'pdf', title: 'a', searchable: false, barcodes: true },
  pages: [
    { scan: scan.id, page: 2, rotate: 90 },
    { scan: scan.id, page: 1 },
  ],
};
const grant: Json = {
  origin: 'https://a.example',
  may: ['scan'],
  scanners: ['A'],
  until: '2100-01-01T00:00:00Z',
  id: '1',
};

/** Valid bodies, by address. */
const bodies: Readonly<Record<string, readonly Json[]>> = {
  '/api/twain/scan': [request(few), request(parameters)],
  '/api/scans': [request(few), request(parameters)],
  '/api/twain/autoscan/enable': [request(few), request(parameters), {}],
  '/api/twain/autoscan/disable': [{}],
  '/api/twain/cancel': [{ requestId: 'r-1' }, {}],
  '/api/twain': [
    command('scan', parameters),
    command('scan', { resolution: 200, outputFormat: 'png' }),
    command('openSource', { sourceName: 'A' }),
    command('getCapabilities', { sourceName: 'A', details: true }),
    ...['getSources', 'closeSource', 'getStatus'].map(method => command(method, {})),
  ],
  '/api/consent': [{ may: ['scan', 'auto-scan'], scanners: ['A'] }, { scanners: '*' }],
  '/api/documents': [documents],
  [`/api/scans/${scan.id}/cancel`]: [{}],
  '/origins/answers': [grant],
  '/origins/revocations': [grant],
};
const own = { host: 'localhost', origin: 'http://localhost', 'x-platen-page': '1' };

function assertAnswered(url: string, { statusCode, body, headers }: LightMyRequestResponse): void {
  if (/internal/.test(String(headers[errorHeader.toLowerCase()])) || body.includes("See the service's log"))
    throw new Error(`${url} answers ${statusCode}: ${body.slice(0, 300)}`);
  if (statusCode < 400) return;
  const { success, error } = JSON.parse(body) as { success?: unknown; error?: unknown };
  if (success !== false || typeof error !== 'string' || error === '') throw new Error(`${url}: ${body}`);
}

/** Sends it, and ends what it began. */
async function send(url: string, payload: string | Buffer): Promise<void> {
  const headers = { 'content-type': 'application/json', ...(url.startsWith('/origins') ? own : {}) };
  const answer = await app.inject({ method: 'POST', url, payload, headers });
  assertAnswered(url, answer);
  if (url.endsWith('enable')) await call('POST', '/api/twain/autoscan/disable');
  if (url !== '/api/scans' || answer.statusCode >= 300) return;
  const { id } = answer.json<{ id: string }>();
  await ended(id);
  await call('DELETE', `/api/scans/${id}`);
}

const urls = fc.constantFrom(...Object.keys(bodies));

t.test('bodies: damaged values, answered or refused', async () => {
  const requests = urls.chain(url => fc.tuple(fc.constant(url), damagedJson(bodies[url] ?? [])));
  await fc.assert(
    fc.asyncProperty(requests, ([url, value]) => send(url, JSON.stringify(value) ?? '')),
    fuzzed(BODY_RUNS),
  );
});

t.test('bodies: damaged bytes, answered or refused', async () => {
  const texts = (url: string): Buffer[] => (bodies[url] ?? []).map(each => Buffer.from(JSON.stringify(each)));
  const words = ['"__proto__":1,', '\\u0000', '\ufeff', '1e999', '"constructor":{', '{', ']', '-0', '\\ud800'];
  const requests = urls.chain(url => fc.tuple(fc.constant(url), damaged(texts(url), words)));
  await fc.assert(
    fc.asyncProperty(requests, ([url, bytes]) => send(url, bytes)),
    fuzzed(BODY_RUNS),
  );
});

t.test('addresses: damaged paths and queries, answered or refused', async () => {
  const page = `/api/scans/${scan.id}`;
  const valid = [
    `${page}/document?format=pdf&pages=1-2,3&title=a&rotate=90&searchable=false&barcodes=true`,
    `${page}/document?pages=3-1&rotate=1:90,2:180`,
    `${page}/documents`,
    `${page}/pages/1?width=10`,
    `${page}/pages/2`,
    page,
    '/api/scans?state=completed',
    '/api/separator?patch=T&size=A4&format=pdf',
    '/api/twain/scanners/A/capabilities?details=true',
    '/api/profiles',
    '/api/features',
    '/health',
  ].map(each => Buffer.from(each));
  const words = [
    '%',
    '%00',
    '%ff',
    '%2e%2e',
    '..',
    '//',
    '?',
    '&',
    '=',
    '[]',
    '+',
    '-1',
    '1e9',
    '9'.repeat(20),
    '\u00fc',
  ];
  await fc.assert(
    fc.asyncProperty(damaged(valid, words), async bytes => {
      // Node refuses other characters before a route sees them.
      const url = `/${bytes
        .toString('latin1')
        .replace(/[^\x21-\x7e]|#/g, '')
        .replace(/^\/+/, '')}`;
      // A stream of events ends when its client leaves.
      if (url.includes('events')) return;
      assertAnswered(url, await app.inject({ method: 'GET', url }));
    }),
    fuzzed(QUERY_RUNS),
  );
});
