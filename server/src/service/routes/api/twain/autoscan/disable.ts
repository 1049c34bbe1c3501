/** `POST /api/twain/autoscan/disable`: ends auto-scan and discards undelivered pages. */
import { Done } from '../../../../shapes/schemas.js';
import { originOf } from '../../../../http/guards/ownPage.js';
import type { Route } from '../../../../route.js';

const schema = {
  operationId: 'disableAutoscan',
  summary: 'End auto-scan',
  description:
    'Finishes the current sheet, discards undelivered pages, also those of an earlier auto-scan of the same origin (the message says how many), sends a disabled event to the stream and ends it. Needs no body. It is not an error if auto-scan is off.',
  tags: ['Auto-scan'],
  response: { '2xx': { ...Done, examples: [{ success: true, message: 'Auto-scan is disabled.' }] } },
};

const disable: Route = (app, { scans }) => {
  app.post('/api/twain/autoscan/disable', { schema }, async request => {
    const { wasEnabled, discarded } = await scans.disableAutoscan(originOf(request));
    const said = [wasEnabled ? 'Auto-scan is disabled.' : 'Auto-scan was not enabled.'];
    if (discarded > 0) said.push(`Discarded undelivered pages: ${discarded}.`);
    return { success: true as const, message: said.join(' ') };
  });
};
export default disable;
