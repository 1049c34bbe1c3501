/** `POST /api/twain/cancel`: ends the running scan after the current sheet. */
import { CancelBody, Done } from '../../../http/dto/schemas.js';
import { spelt } from '../../../http/dto/validation.js';
import { refusals } from '../../../openapi/refusals.js';
import type { Route } from '../../../route.js';

const schema = {
  operationId: 'cancelScan',
  summary: 'End the running scan after the current sheet',
  description:
    'Stops feeding; the cancelled scan answers with its pages. It is not an error if no scan is active. To end auto-scan, call `disable`.',
  tags: ['Scanning'],
  body: CancelBody,
  response: {
    '2xx': { ...Done, examples: [{ success: true, message: 'The scan is being cancelled.' }] },
    ...refusals('invalid-value', 'invalid-json'),
  },
};

const cancel: Route = (app, { scans }) => {
  app.post(
    '/api/twain/cancel',
    { schema, preValidation: async request => void (request.body = spelt(CancelBody, request.body)) },
    async request => {
      const cancelled = scans.cancel(request.body.requestId);
      return { success: true as const, message: cancelled ? 'The scan is being cancelled.' : 'No scan is active' };
    },
  );
};
export default cancel;
