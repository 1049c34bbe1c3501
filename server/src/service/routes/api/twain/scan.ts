/** `POST /api/twain/scan`: opens the scanner, scans, and answers with every page. */
import type { Readable } from 'node:stream';
import { Type } from '../../../../machine/schemaType.js';
import { readScanBody, scanRequestOf } from '../../../shapes/scanRequest.js';
import { ScanAnswer, ScanBody } from '../../../shapes/schemas.js';
import { scanRefusals, refusals } from '../../../openapi/refusals.js';
import { scanOnDemand, sendPieces } from '../../../responses/onDemand.js';
import { assertScan } from '../../../http/guards/scannerConsent.js';
import type { Route } from '../../../route.js';

const headers = { 'x-request-id': { type: 'string', description: 'The `requestId` of the request.' } };

const schema = {
  operationId: 'scan',
  summary: 'Scan and get every page',
  description:
    'Opens the scanner, scans, and answers with the pages in order. The service checks the whole request before paper moves. A cancelled scan answers 200 with success: false and its pages. A failed scan answers with the status of its failure and the pages finished before. If the client disconnects, the scan is cancelled.',
  tags: ['Scanning'],
  body: ScanBody,
  response: {
    '2xx': Type.Unsafe<Readable>({ ...ScanAnswer, headers }),
    ...refusals('invalid-value', 'invalid-json'),
    ...scanRefusals('device-not-found', 'busy', 'paper-jam', 'not-connected', 'timeout'),
  },
};

const scan: Route = (app, parts) => {
  app.post(
    '/api/twain/scan',
    { schema, config: { endsItself: true }, preValidation: readScanBody },
    async (request, reply) => {
      assertScan(request, parts, request.body);
      const { collected, result, end } = await scanOnDemand(scanRequestOf(request.body, parts), reply, parts);
      return sendPieces(reply, collected.code, result, parts.clients, end);
    },
  );
};
export default scan;
