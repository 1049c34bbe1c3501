/** `GET /api/twain/scanners/{name}/capabilities`: what a scanner and the loaded plugins can do. */
import { Type } from '../../../../machine/schemaType.js';
import { assertAllowed } from '../../../http/guards/consentGuard.js';
import { capabilityDetails, detailsQuery } from '../../../shapes/details.js';
import { flagOf } from '../../../parameters/documentQuery.js';
import { CapabilitiesAnswer } from '../../../shapes/schemas.js';
import { refusals } from '../../../openapi/refusals.js';
import type { Route } from '../../../route.js';

const Params = Type.Object({
  name: Type.String({ minLength: 1, description: 'the name of a scanner, URL-encoded', examples: ['Feeder A'] }),
});

const document = {
  querystring: detailsQuery('Adds `details`: controls of each source, and what the loaded plugins add.'),
};
const schema = {
  operationId: 'getCapabilities',
  summary: 'What a scanner and the loaded plugins can do',
  description: 'The first call opens a closed scanner briefly.',
  tags: ['Scanners'],
  params: Params,
  response: {
    '2xx': CapabilitiesAnswer,
    ...refusals('invalid-value', 'device-not-found', 'busy', 'driver-failed', 'not-connected'),
  },
};

const capabilities: Route = (app, { scans, registry, health, consent }) => {
  app.get('/api/twain/scanners/:name/capabilities', { schema, config: { document } }, async request => {
    const { name } = request.params;
    assertAllowed(request, consent, 'scan', [name]);
    const isDetailed = flagOf(request.query as Readonly<Record<string, unknown>>, 'details') === true;
    const { resolutions, colorModes, supportedPageSizes, supportedOcrLanguages, ...rest } =
      await scans.capabilities(name);
    return {
      success: true as const,
      capabilities: {
        resolutions: [...resolutions],
        colorModes: [...colorModes],
        ...rest,
        supportedPageSizes: [...supportedPageSizes],
        ...(supportedOcrLanguages ? { supportedOcrLanguages: [...supportedOcrLanguages] } : {}),
        ...(isDetailed ? { details: await capabilityDetails({ registry, scans, health }, name) } : {}),
      },
    };
  });
};
export default capabilities;
