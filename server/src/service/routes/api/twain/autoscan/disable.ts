/** `POST /api/twain/autoscan/disable`: ends auto-scan and discards undelivered pages. */
import { DisableBody, Done } from '../../../../shapes/schemas.js';
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
// Whatever the body is, the call disables.
const document = { body: DisableBody };

const disable: Route = (app, { scans }) => {
  app.post('/api/twain/autoscan/disable', { schema, config: { document } }, async request => {
    const { wasEnabled, discarded } = await scans.disableAutoscan(originOf(request), nameIn(request.body));
    const said = [wasEnabled ? 'Auto-scan is disabled.' : 'Auto-scan was not enabled.'];
    if (discarded > 0) said.push(`Discarded undelivered pages: ${discarded}.`);
    return { success: true as const, message: said.join(' ') };
  });
};
/** As on all of the interface's endpoints, an addition of another type is ignored. */
function nameIn(body: unknown): string | undefined {
  const { scannerName } = (body ?? {}) as { readonly scannerName?: unknown };
  return typeof scannerName === 'string' && scannerName !== '' ? scannerName : undefined;
}

export default disable;
