/** `POST /api/twain/scan`: opens the scanner, scans, and answers with every page. */
import type { Readable } from 'node:stream';
import { Type } from 'typebox';
import { optionsFromSimple } from '../../../http/dto/parameters.js';
import { ScanBody, ScanResult } from '../../../http/dto/schemas.js';
import { spelt } from '../../../http/dto/validation.js';
import { scanRefusals, refusals } from '../../../openapi/refusals.js';
import { scanOnDemand, sendPieces } from '../../../responses/onDemand.js';
import type { Route } from '../../../route.js';

const headers = { 'x-request-id': { type: 'string', description: 'The `requestId` that was sent.' } };

const schema = {
  operationId: 'scan',
  summary: 'Scan, and get every page',
  description:
    'Opens the scanner, scans, and answers with the pages in their order. Everything is checked before paper moves. A scan that was cancelled is a 200 with success: false and its pages; one that fails has the status of the failure, and the pages that were finished before. A client that hangs up cancels.',
  tags: ['Scanning'],
  body: ScanBody,
  response: {
    '2xx': Type.Unsafe<Readable>({ ...ScanResult, headers }),
    ...refusals('invalid-value', 'invalid-json'),
    ...scanRefusals('device-not-found', 'busy', 'paper-jam', 'not-connected', 'timeout'),
  },
};

const scan: Route = (app, services) => {
  app.post(
    '/api/twain/scan',
    { schema, preValidation: async request => void (request.body = spelt<ScanBody>(ScanBody, request.body)) },
    async (request, reply) => {
      const { scannerName, parameters, requestId } = request.body;
      const options = optionsFromSimple(parameters);
      const { collected, result } = await scanOnDemand(
        { scannerName, options, ...(requestId === undefined ? {} : { requestId }) },
        reply,
        services,
      );
      return sendPieces(reply, collected.code, result, services.clients);
    },
  );
};
export default scan;
