/** `POST /api/twain/scan`: opens the scanner, scans, and answers with every page. */
import type { Readable } from 'node:stream';
import { ScanError } from '@platen/core';
import { Type } from 'typebox';
import { wishesFromSimple } from '../../../http/dto/orderFromSimple.js';
import { Failure, ScanBody, ScanResult } from '../../../http/dto/schemas.js';
import { inOurSpelling } from '../../../http/dto/validation.js';
import { statusOf } from '../../../http/errors.js';
import { collectJson } from '../../../sinks/jsonResult.js';
import type { Route } from '../../route.js';

const scan: Route = (app, { scanner, spool, clock, log }) => {
  const schema = { body: ScanBody, response: { default: Type.Unsafe<Readable>(Type.Union([ScanResult, Failure])) } };
  app.post('/api/twain/scan', { schema, preValidation: async request => void (request.body = spelt(request.body)) }, async (request, reply) => {
    const startedAt = clock.now();
    const { scannerName, parameters, requestId } = request.body;
    const wishes = wishesFromSimple(parameters);
    if (requestId !== undefined) void reply.header('x-request-id', requestId);

    const run = scanner.scan({ scannerName, wishes, ...(requestId === undefined ? {} : { requestId }) });
    const shelf = spool.shelf();
    let gone = false;
    reply.raw.once('close', () => {
      gone = true;
      run.end(new ScanError('cancelled', 'The client hung up.'));
      void shelf.clear();
    });
    const result = await collectJson(run, shelf, wishes.report, startedAt, () => clock.now());
    if (gone) await shelf.clear();
    if (result.code !== undefined) log.warn(`A scan on ${scannerName} ended with ${result.code}: ${String(result.cause)}`);
    return reply.code(statusOf(result.code)).header('content-length', result.length).header('cache-control', 'no-store').type('application/json; charset=utf-8').send(result.body);
  });
};
export default scan;

/** Absent and `null` parameters are the same as none. */
function spelt(body: unknown): ScanBody {
  const value = inOurSpelling(ScanBody, body ?? {}) as Record<string, unknown>;
  if (value['parameters'] === null) delete value['parameters'];
  return value as ScanBody;
}
