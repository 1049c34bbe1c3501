/** `POST /api/twain/scan`: opens the scanner, scans, and answers with every page. */
import type { Readable } from 'node:stream';
import { Type } from 'typebox';
import { wishesFromSimple } from '../../../http/dto/orderFromSimple.js';
import { Failure, ScanBody, ScanResult } from '../../../http/dto/schemas.js';
import { spelt } from '../../../http/dto/validation.js';
import { scanOnDemand, sendPieces } from '../../onDemand.js';
import type { Route } from '../../route.js';

const scan: Route = (app, services) => {
  const schema = { body: ScanBody, response: { default: Type.Unsafe<Readable>(Type.Union([ScanResult, Failure])) } };
  app.post('/api/twain/scan', { schema, preValidation: async request => void (request.body = spelt<ScanBody>(ScanBody, request.body)) }, async (request, reply) => {
    const { scannerName, parameters, requestId } = request.body;
    const wishes = wishesFromSimple(parameters);
    const { collected, result } = await scanOnDemand({ scannerName, wishes, ...(requestId === undefined ? {} : { requestId }) }, reply, services);
    return sendPieces(reply, collected.code, result);
  });
};
export default scan;
