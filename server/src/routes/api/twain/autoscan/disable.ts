/** `POST /api/twain/autoscan/disable`: ends auto-scan and discards undelivered pages. */
import { Done } from '../../../../http/dto/schemas.js';
import { originOf } from '../../../../http/ownPage.js';
import type { Route } from '../../../../route.js';

const schema = {
  operationId: 'disableAutoscan',
  summary: 'End auto-scan',
  description:
    'Finishes the current sheet, discards undelivered pages (the message says how many), sends a disabled event to the stream and ends it. Needs no body. It is not an error if auto-scan is off.',
  tags: ['Auto-scan'],
  response: { '2xx': { ...Done, examples: [{ success: true, message: 'Auto-scan is disabled.' }] } },
};

const disable: Route = (app, { scans }) => {
  app.post('/api/twain/autoscan/disable', { schema }, async request => {
    const { wasEnabled, discarded, waiting } = await scans.disableAutoscan(originOf(request));
    const said = [wasEnabled ? 'Auto-scan is disabled.' : 'Auto-scan was not enabled.'];
    if (discarded > 0) said.push(`Discarded undelivered pages: ${discarded}.`);
    if (waiting > 0) said.push(`Pages of an earlier auto-scan that wait for a reader: ${waiting}.`);
    return { success: true as const, message: said.join(' ') };
  });
};
export default disable;
