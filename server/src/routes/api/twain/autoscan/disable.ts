/** `POST /api/twain/autoscan/disable`: ends auto-scan; pages that were not delivered are discarded. */
import { Done } from '../../../../http/dto/schemas.js';
import { originOf } from '../../../../http/ownPage.js';
import type { Route } from '../../../../route.js';

const schema = {
  operationId: 'disableAutoscan',
  summary: 'End auto-scan',
  description:
    'The sheet in hand is finished; pages that nobody took are discarded, and the message says how many; the stream gets a disabled event and ends. No body is needed. Where auto-scan is off, that is no error.',
  tags: ['Auto-scan'],
  response: { '2xx': Done },
};

const disable: Route = (app, { scans }) => {
  app.post('/api/twain/autoscan/disable', { schema }, async request => {
    const { wasEnabled, discarded, waiting } = await scans.disableAutoscan(originOf(request));
    const said = [wasEnabled ? 'Auto-scan is disabled.' : 'Auto-scan was not enabled.'];
    if (discarded > 0) said.push(`Pages that nobody had taken were discarded: ${discarded}.`);
    if (waiting > 0) said.push(`Pages of an earlier auto-scan wait for a reader: ${waiting}.`);
    return { success: true as const, message: said.join(' ') };
  });
};
export default disable;
