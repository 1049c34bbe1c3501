/** `POST /api/twain/cancel`: ends the caller's scans after the current sheet. */
import { originOf } from '../../../http/guards/ownPage.js';
import { CancelBody, Done } from '../../../shapes/schemas.js';
import { spelt } from '../../../parameters/validation.js';
import { refusals } from '../../../openapi/refusals.js';
import type { Route } from '../../../route.js';

const schema = {
  operationId: 'cancelScan',
  summary: 'End the scans of the caller after the current sheet',
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
  const nothingActive = (requestId: string | undefined): string => {
    const { scans: running, isAutoscanOn } = scans.load();
    if (running > 0)
      return `No scan ${requestId === undefined ? 'of this web page' : 'of yours with this requestId'} is active; another scan goes on.`;
    return isAutoscanOn ? 'No scan is active. Auto-scan goes on: to end it, disable it.' : 'No scan is active';
  };
  app.post(
    '/api/twain/cancel',
    { schema, preValidation: async request => void (request.body = spelt(CancelBody, request.body)) },
    async request => {
      const { requestId } = request.body;
      const cancelled = scans.cancel(originOf(request), requestId);
      return { success: true as const, message: cancelled ? 'The scan is being cancelled.' : nothingActive(requestId) };
    },
  );
};
export default cancel;
