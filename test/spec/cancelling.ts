/** Endpoints, cancel; and the other ways to end a scan before the feeder is empty. */
import { sheets } from '../topology/sheets.js';
import { cancel, get, inksOf, scan, until, untilFed, untilHanging } from './calls.js';
import { share, spec, start } from './specTest.js';

/** A scanner that hangs is given up soon. */
const impatient = { config: { scan: { graceSeconds: 0.3, deadlineGraceSeconds: 0.3 } } };

/** More than a slow scanner scans during a test. */
const stack = sheets(1, 2, 3, 4, 5, 6, 7, 1, 2, 3, 4, 5);

export const cancelling = [
  spec(
    'Endpoints, POST /api/twain/cancel: nothing to cancel is 200, with or without a requestId or a body',
    ['endpoints.cancel.200', 'endpoints.cancel.request'],
    async (t, fixture) => {
      const nothing = { status: 200, json: { success: true, message: 'No scan is active' } };
      t.match(await cancel(fixture), nothing);
      t.match(await cancel(fixture, 'abc'), nothing);
      t.match(await fixture.request('POST', '/api/twain/cancel'), nothing, 'no body, no content type');
      t.match(
        await fixture.request('POST', '/api/twain/cancel', { headers: { 'content-type': 'application/json' } }),
        nothing,
        'no body, JSON',
      );
      t.match(
        await fixture.request('POST', '/api/twain/cancel', {
          rawBody: 'null',
          headers: { 'content-type': 'application/json' },
        }),
        nothing,
      );
      t.match(
        await fixture.request('POST', '/api/twain/cancel', {
          rawBody: ' \n',
          headers: { 'content-type': 'application/json' },
        }),
        nothing,
      );
      t.match(await fixture.request('POST', '/api/twain/cancel', { body: { scannerName: 5, whatever: {} } }), nothing);
    },
  ),

  spec(
    'Endpoints, POST /api/twain/cancel: stops feeding, and the cancelled scan answers with its pages so far',
    ['endpoints.cancel.cancels', 'resources.result.status'],
    async (t, fixture) => {
      await fixture.load('slow', stack);
      const scanning = scan(fixture, 'slow', { resolution: 75, colorMode: 'Color' });
      await untilFed(fixture, 'slow', 2);
      t.match(await cancel(fixture), { status: 200, json: { success: true, message: /cancel/ } });
      const { status, json } = await scanning;
      t.equal(status, 200);
      t.match(json, { success: false, status: 'Cancelled', error: /cancelled/, message: /cancelled/ });
      const { imageCount } = json;
      t.ok(imageCount >= 2 && imageCount < stack.length, `${imageCount} pages`);
      t.same(
        await inksOf(json),
        stack.slice(0, imageCount).map(each => each.front),
      );
      t.equal(await fixture.scanned('slow'), imageCount, 'every scanned sheet is in the answer');
      t.equal(await fixture.waiting('slow'), stack.length - imageCount, 'the other sheets are still in the feeder');
      t.match((await cancel(fixture)).json, { message: 'No scan is active' });
      await fixture.load('slow', sheets(6));
      t.same(
        await inksOf((await scan(fixture, 'slow', { resolution: 75, colorMode: 'Color' })).json),
        [6],
        'the scanner is free',
      );
    },
    ['slow'],
  ),

  spec(
    'Endpoints, POST /api/twain/cancel: a requestId cancels only the scan that was started with it',
    ['endpoints.cancel.request', 'endpoints.cancel.cancels'],
    async (t, fixture) => {
      await fixture.load('slow', stack);
      const scanning = scan(fixture, 'slow', { resolution: 75 }, { requestId: 'scan-17' });
      await untilFed(fixture, 'slow');
      t.match(await cancel(fixture, 'scan-18'), {
        status: 200,
        json: { success: true, message: /another scan goes on/ },
      });
      t.match(await cancel(fixture, 'scan-17'), { status: 200, json: { success: true, message: /cancel/ } });
      const { headers, json } = await scanning;
      t.equal(json.status, 'Cancelled');
      t.equal(headers['x-request-id'], 'scan-17');

      await fixture.load('slow', stack);
      const second = scan(fixture, 'slow', { resolution: 75 }, { requestId: 'scan-19' });
      await untilFed(fixture, 'slow');
      const asNull = await fixture.request('POST', '/api/twain/cancel', { body: { requestId: null }, asIs: true });
      t.match(asNull, { status: 200, json: { message: 'The scan is being cancelled.' } });
      t.equal((await second).json.status, 'Cancelled', 'null names none: whichever runs');
    },
    ['slow'],
  ),

  spec(
    'Endpoints, POST /api/twain/scan: the header x-request-id repeats requestId, and web pages may read it',
    'endpoints.cancel.request',
    async (t, fixture) => {
      const { headers } = await scan(
        fixture,
        'flatbed',
        { resolution: 75 },
        { requestId: 'a~b/c=!', headers: { origin: 'https://app.example' } },
      );
      t.equal(headers['x-request-id'], 'a~b/c=!');
      t.match(headers['access-control-expose-headers'], /x-request-id/i);
      t.notOk('x-request-id' in (await scan(fixture, 'flatbed', { resolution: 75 })).headers);
      await fixture.load('jamming', sheets(1, 2));
      t.equal(
        (await scan(fixture, 'jamming', { resolution: 75 }, { requestId: 'jam' })).headers['x-request-id'],
        'jam',
        'of a failed scan, too',
      );
      for (const requestId of ['a b', 'a\r\nx-evil: 1', 'ü', '', 'x'.repeat(201)]) {
        const answer = await scan(fixture, 'flatbed', { resolution: 75 }, { requestId, asIs: true });
        t.equal(answer.status, 200, JSON.stringify(requestId.slice(0, 20)));
        t.notOk('x-request-id' in answer.headers);
        t.match(answer.json.message, requestId === '' ? /^Scanned 1 page\.$/ : /requestId was ignored/);
      }
    },
    ['flatbed', 'jamming'],
  ),

  spec(
    'Endpoints, POST /api/twain/cancel: a requestId that is not a string is 400, and nothing is cancelled',
    'endpoints.cancel.request',
    async (t, fixture) => {
      for (const requestId of [5, ['a'], {}]) {
        const answer = await fixture.request('POST', '/api/twain/cancel', { body: { requestId }, asIs: true });
        t.match(
          answer,
          { status: 400, json: { success: false, error: /^requestId takes / } },
          JSON.stringify(requestId),
        );
      }
    },
  ),

  spec(
    'Endpoints, POST /api/twain/cancel: a scanner that hangs is abandoned, and works afterwards',
    'endpoints.cancel.cancels',
    async (t, _fixture, topology) => {
      const fixture = await share(topology, impatient);
      await fixture.load('hanging', sheets(1, 2));
      const scanning = scan(fixture, 'hanging', { resolution: 75, colorMode: 'Color' });
      await untilHanging(fixture, 'hanging');
      await cancel(fixture);
      const { status, json } = await scanning;
      t.equal(status, 200);
      t.match(json, { success: false, status: 'Cancelled', imageCount: 1 });
      await fixture.load('hanging', sheets(5));
      const again = await scan(fixture, 'hanging', { resolution: 75, colorMode: 'Color' });
      t.equal(again.status, 200);
      t.same(await inksOf(again.json), [5]);
    },
    ['hanging'],
  ),

  spec(
    'Endpoints, POST /api/twain/scan: a client that disconnects frees the scanner, and no further sheet is fed',
    ['endpoints.scan.oneCall', 'states.source.isSourceOpen'],
    async (t, fixture) => {
      await fixture.load('slow', stack);
      const client = new AbortController();
      const scanning = scan(fixture, 'slow', { resolution: 75 }, { signal: client.signal });
      await untilFed(fixture, 'slow');
      client.abort();
      await t.rejects(scanning, { name: 'AbortError' });
      await until(
        async () =>
          !(await get<{ scannerStatus: { isSourceOpen: boolean } }>(fixture, '/api/twain/status')).json.scannerStatus
            .isSourceOpen,
      );
      const left = await fixture.waiting('slow');
      t.ok(left > 0, `${left} sheets are still in the feeder`);
      t.equal((await scan(fixture, 'flatbed', { resolution: 75 })).status, 200);
      t.equal(await fixture.waiting('slow'), left);
    },
    ['slow', 'flatbed'],
  ),

  spec(
    'Errors: 504 when the request’s deadline passes, with the pages so far',
    ['errors.504', 'resources.parameters.timeout', 'endpoints.scan.errors'],
    async (t, fixture) => {
      await fixture.load('slow', stack);
      const { status, json } = await scan(fixture, 'slow', {
        resolution: 75,
        colorMode: 'Color',
        requestTimeoutSeconds: 2,
      });
      t.equal(status, 504);
      t.match(json, {
        success: false,
        status: 'Timeout',
        error: /longer than the 2 s/,
        message: /longer than the 2 s/,
      });
      t.ok(json.imageCount < stack.length);
      t.same(
        await inksOf(json),
        stack.slice(0, json.imageCount).map(each => each.front),
      );
      t.equal(await fixture.scanned('slow'), json.imageCount);
      t.equal(await fixture.waiting('slow'), stack.length - json.imageCount);
    },
    ['slow'],
  ),

  spec(
    'Errors: 504 when the deadline passes while the scanner hangs; page 1 is kept',
    ['errors.504', 'resources.parameters.timeout'],
    async (t, _fixture, topology) => {
      const fixture = await share(topology, impatient);
      await fixture.load('hanging', sheets(4, 2));
      // Enough time for page 1 on a busy machine; the scanner then hangs as long as it takes.
      const { status, json } = await scan(fixture, 'hanging', {
        resolution: 75,
        colorMode: 'Color',
        requestTimeoutSeconds: 10,
      });
      t.equal(status, 504);
      t.match(json, { success: false, status: 'Timeout', imageCount: 1 });
      t.same(await inksOf(json), [4]);
    },
    ['hanging'],
  ),

  spec(
    'Errors: 504 when a scanner delivers nothing for scan.inactivitySeconds; it is abandoned, and works afterwards',
    'errors.504',
    async (t, _fixture, topology) => {
      const fixture = await start(t, topology, { config: { scan: { inactivitySeconds: 10 } } });
      await fixture.load('hanging', sheets(4, 2));
      const { status, json } = await scan(fixture, 'hanging', { resolution: 75, colorMode: 'Color' });
      t.equal(status, 504);
      t.match(json, { success: false, status: 'Timeout', imageCount: 1, error: /delivered nothing for 10 s/ });
      t.same(await inksOf(json), [4]);
      await fixture.load('hanging', sheets(6));
      t.same(await inksOf((await scan(fixture, 'hanging', { resolution: 75, colorMode: 'Color' })).json), [6]);
      await fixture.load('duplex', sheets(2));
      t.equal((await scan(fixture, 'duplex', { resolution: 75 })).status, 200);
    },
    ['hanging', 'duplex'],
  ),
];
