/** `POST /api/scans`: checks everything, starts a scan, and answers before its first page. */
import { InvalidValue } from '@platen/core';
import { canonicalText, readStartBody, scanRequestOf } from '../../../shapes/scanRequest.js';
import { scanBody } from '../../../shapes/scanBody.js';
import { Scan } from '../../../shapes/scans.js';
import { StartBody } from '../../../shapes/schemas.js';
import { successes } from '../../../http/errors.js';
import { originOf } from '../../../http/guards/ownPage.js';
import { refusals } from '../../../openapi/refusals.js';
import type { Route } from '../../../route.js';
import { assertScan, holdScan } from '../../../http/guards/scannerConsent.js';
import { noSuchScan, unlessCancelled } from './ownScan.js';

const location = { type: 'string', description: "The scan's path.", example: '/api/scans/6f1c2a3e-…' };
const schema = {
  operationId: 'startScan',
  summary: 'Start a scan and fetch its pages one by one',
  description:
    'The service checks the whole request before paper moves, then answers; the pages follow. The pages are kept until their client deletes the scan. If the client disconnects, the scan goes on. With `waitSeconds`, a scan waits for a scanner in use: the answer comes at once, `progress.placeInLine` says its place, and when the time is up it fails with `busy`. It loses its place when its client has left, which is when nobody has read it, a page of it, its document or its events for 15 s. With an `Idempotency-Key`, a repeated request within an hour gets the same scan and feeds no paper.',
  tags: ['Scans'],
  body: StartBody,
  response: {
    [successes.ok]: {
      ...Scan,
      headers: { Location: location },
      'x-response-description': 'The scan that an earlier request with this key started.',
    },
    [successes.created]: {
      ...Scan,
      headers: { Location: location },
      'x-response-description': 'The scan runs, or waits in line.',
    },
    ...refusals(
      'invalid-value',
      'invalid-json',
      'device-not-found',
      'scan-not-found',
      'busy',
      'driver-failed',
      'not-connected',
      'storage-full',
    ),
  },
};
const document = {
  headers: {
    type: 'object',
    properties: {
      'Idempotency-Key': {
        type: 'string',
        minLength: 1,
        maxLength: 255,
        pattern: '^[\\x21-\\x7e]+$',
        description: 'The same key and body within an hour mean the same scan, also after the service restarted.',
      },
    },
  },
};

const start: Route = (app, parts) => {
  const { kept, forPages } = parts;
  app.post('/api/scans', { schema, config: { document }, preValidation: readStartBody }, async (request, reply) => {
    assertScan(request, parts, request.body);
    const key = keyOf(request.headers['idempotency-key'], originOf(request));
    const { scan, isNew } = await unlessCancelled(
      kept.start({
        origin: originOf(request),
        request: scanRequestOf(request.body, parts),
        waitMs: (request.body.waitSeconds ?? 0) * 1000,
        ...(key === undefined ? {} : { key, body: canonicalText(request.body) }),
      }),
    );
    if (!isNew && !kept.find(originOf(request), scan.id)) throw noSuchScan();
    if (isNew) holdScan(request, scan, parts);
    return reply
      .code(isNew ? successes.created : successes.ok)
      .headers({ location: `/api/scans/${scan.id}`, 'cache-control': 'no-store' })
      .send(await scanBody(scan, forPages));
  });
};
export default start;

/** Strangers share the opaque origin: there, only a key that cannot be guessed means a scan. */
const OPAQUE_LEAST = 22;

/** @throws `InvalidValue` */
function keyOf(header: string | string[] | undefined, origin: string): string | undefined {
  if (header === undefined) return undefined;
  if (origin === 'null' && header.length < OPAQUE_LEAST)
    throw new InvalidValue(
      'Idempotency-Key',
      `at least ${OPAQUE_LEAST} random characters from pages with the origin null`,
    );
  if (typeof header === 'string' && /^[\x21-\x7e]{1,255}$/.test(header)) return header;
  throw new InvalidValue('Idempotency-Key', '1 to 255 visible ASCII characters without spaces');
}
