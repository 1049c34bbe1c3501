/** `POST /api/twain/cancel`: ends the running scan after the sheet in hand. */
import { CancelBody, Done } from '../../../http/dto/schemas.js';
import { refusals } from '../../../openapi/refusals.js';
import type { Route } from '../../../route.js';

const schema = {
  operationId: 'cancelScan',
  summary: 'End the running scan after the sheet in hand',
  description:
    'Nothing more is fed, and the cancelled scan answers with its pages. Where no scan is active, that is no error. Auto-scan is ended by its own call.',
  tags: ['Scanning'],
  body: CancelBody,
  response: { '2xx': Done, ...refusals('invalid-value', 'invalid-json') },
};

const cancel: Route = (app, { scans }) => {
  app.post(
    '/api/twain/cancel',
    { schema, preValidation: async request => void (request.body ??= {}) },
    async request => {
      const cancelled = scans.cancel(request.body.requestId);
      return { success: true as const, message: cancelled ? 'The scan is being cancelled.' : 'No scan is active' };
    },
  );
};
export default cancel;
