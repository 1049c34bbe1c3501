/** Damaged answers of devices: parsed to what core accepts, or refused with the driver's own error. */
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { createServer, type AddressInfo } from 'node:net';
import { testJpeg } from '@platen/conformance';
import { damaged, fuzzed } from '@platen/conformance/fuzz';
import { readCapabilities, readDevice } from '@platen/core/wire';
import * as fc from 'fast-check';
import t from 'tap';
import { capabilitiesOf } from './protocol/capabilities.js';
import { deviceOf } from './discovery/discoveredDevice.js';
import { configuredEndpoint } from './discovery/endpoint.js';
import { createEsclClient } from './http/esclClient.js';
import { EsclError } from './http/esclError.js';
import { createHttpClient } from './http/httpClient.js';
import { quick } from './rig.test.kit.js';
import { pageOf, sizeIn } from './scan/page.js';
import { limited, quirksOf } from './protocol/quirks.js';
import { readScannerCapabilities, type ScannerCapabilities } from './protocol/scannerCapabilities.js';
import { readScannerStatus } from './protocol/scannerStatus.js';

const XML_RUNS = 1300;
const HTTP_RUNS = 400;

const makers = ['brother-mfc', 'canon-pixma', 'epson-ecotank', 'hp-officejet', 'profiles-by-name'];
const descriptions = makers.map(name => readFileSync(new URL(`../fixtures/${name}.xml`, import.meta.url)));
const status = Buffer.from(
  '<?xml version="1.0" encoding="UTF-8"?><scan:ScannerStatus xmlns:scan="a" xmlns:pwg="b"><pwg:State>Processing</pwg:State>' +
    '<scan:AdfState>ScannerAdfLoaded</scan:AdfState><scan:Jobs><scan:JobInfo><pwg:JobUri>/eSCL/ScanJobs/1</pwg:JobUri>' +
    '<pwg:JobState>Aborted</pwg:JobState><pwg:ImagesToTransfer>2</pwg:ImagesToTransfer><pwg:JobStateReasons>' +
    '<pwg:JobStateReason>JobCanceledByUser</pwg:JobStateReason></pwg:JobStateReasons></scan:JobInfo></scan:Jobs></scan:ScannerStatus>',
);
const words = [
  ...[
    '<!DOCTYPE a>',
    '<![CDATA[',
    ']]>',
    '<!--',
    '&lt;',
    '&#0;',
    '&#x110000;',
    '&x;',
    '\ufeff',
    '\0',
    '<a>',
    '</a>',
    '/>',
  ],
  ...['<scan:Platen>', '<scan:Adf>', '__proto__', '-1', '0', '999999', '1e9', 'encoding="utf-16"', '<?xml'],
];

/** What core gets from a device with this description. */
function assertAcceptable(capabilities: ScannerCapabilities): void {
  const endpoint = configuredEndpoint('http://192.0.2.1');
  const known = limited(capabilities, quirksOf(capabilities));
  readCapabilities(capabilitiesOf(known));
  readDevice(deviceOf({ endpoint, capabilities: known }, 'continuous'));
}

/** The reader's own errors are plain; one of JavaScript's has a subclass. */
function unlessRefused<T>(read: () => T): T | undefined {
  try {
    return read();
  } catch (error) {
    if (Object.getPrototypeOf(error) === Error.prototype && (error as Error).message.startsWith('its '))
      return undefined;
    throw error;
  }
}

t.test('capabilities: damaged XML, refused with a reason or accepted by core', async () => {
  fc.assert(
    fc.property(damaged(descriptions, words), bytes => {
      const capabilities = unlessRefused(() => readScannerCapabilities(bytes));
      if (capabilities) assertAcceptable(capabilities);
    }),
    fuzzed(XML_RUNS),
  );
});

t.test('status: damaged XML, refused with a reason or jobs with paths', async () => {
  fc.assert(
    fc.property(damaged([status], words), bytes => {
      for (const { path, imagesToTransfer = 0 } of unlessRefused(() => readScannerStatus(bytes))?.jobs ?? [])
        if (!/^(\/|$)/.test(path) || imagesToTransfer < 0) throw new Error(`${path}: ${imagesToTransfer}`);
    }),
    fuzzed(XML_RUNS),
  );
});

const jpeg = testJpeg({ width: 16, height: 16 }).file;
const answer = (head: string, body: Uint8Array = Buffer.alloc(0)): Buffer =>
  Buffer.concat([Buffer.from(`HTTP/1.1 ${head}\r\n\r\n`), body]);
const xml = descriptions[0]!;
const answers = [
  answer(`200 OK\r\nServer: a\r\nContent-Type: text/xml\r\nContent-Length: ${xml.length}`, xml),
  answer(
    '200 OK\r\nTransfer-Encoding: chunked',
    Buffer.concat([Buffer.from(`${status.length.toString(16)}\r\n`), status, Buffer.from('\r\n0\r\n\r\n')]),
  ),
  answer('201 Created\r\nLocation: http://192.0.2.1/eSCL/ScanJobs/1?a=b\r\nContent-Length: 0'),
  answer('503 Service Unavailable\r\nRetry-After: 5\r\nContent-Length: 0'),
  answer(`200 OK\r\nContent-Type: image/jpeg\r\nContent-Length: ${jpeg.length}`, jpeg),
  answer('200 OK\r\nConnection: close', jpeg),
];
const httpWords = [
  ...[
    '\r\n',
    '\r\n\r\n',
    'HTTP/1.1 100 Continue\r\n\r\n',
    'HTTP/1.1 101 Switching Protocols\r\nUpgrade: a\r\n',
    'Content-Length: 5\r\n',
  ],
  ...[
    'Transfer-Encoding: chunked\r\n',
    'Content-Encoding: gzip\r\n',
    'Location: //a\r\n',
    'Retry-After: -1\r\n',
    'ffffffff\r\n',
  ],
];

t.test('HTTP: damaged answers, an answer or an error of the connection', async t => {
  let next: Buffer = Buffer.alloc(0);
  const server = createServer(socket => {
    socket.on('error', () => undefined);
    socket.once('data', () => socket.end(next));
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const url = new URL(`http://127.0.0.1:${(server.address() as AddressInfo).port}/eSCL`);
  const pins = { file: 'pins', accepts: async () => true };
  const http = createHttpClient({ url, deviceId: 'a', pins, host: 'standard' });
  t.teardown(() => {
    http.close();
    server.close();
  });
  const client = createEsclClient(
    http,
    '/eSCL',
    { ...quick, answer: 60_000, silence: 60_000, status: 60_000 },
    new Set(),
  );
  const { signal } = new AbortController();
  const calls = {
    capabilities: () => client.capabilities(signal),
    status: () => client.status(signal),
    createJob: () => client.createJob('<a/>', signal),
    async nextDocument() {
      const limit = (start: Uint8Array, isLast: boolean) => (sizeIn(start, isLast) ? 1e6 : undefined);
      const { status: code, body } = await client.nextDocument('/eSCL/ScanJobs/1', 1e7, limit, signal);
      if (code === 200) pageOf(body, { dpi: 300, region: { x: 0, y: 0, width: 2550, height: 3300 } });
    },
  };
  const refused = async (call: () => Promise<unknown>): Promise<void> =>
    void (await call().catch((error: unknown) => {
      if (!(error instanceof EsclError)) throw error;
    }));
  await fc.assert(
    fc.asyncProperty(
      damaged(answers, httpWords),
      fc.constantFrom(...(Object.keys(calls) as (keyof typeof calls)[])),
      async (bytes, name) => {
        next = bytes;
        await refused(calls[name]);
      },
    ),
    fuzzed(HTTP_RUNS),
  );
});
