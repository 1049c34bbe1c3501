/** `GET /api/twain/scanners/{name}/capabilities`: what a scanner and the loaded plugins can do. */
import { Type } from '../../../schemaType.js';
import { CapabilitiesAnswer } from '../../../http/dto/schemas.js';
import { refusals } from '../../../openapi/refusals.js';
import type { Route } from '../../../route.js';

const Params = Type.Object({
  name: Type.String({ minLength: 1, description: 'the name of a scanner, URL-encoded', examples: ['Feeder A'] }),
});

const schema = {
  operationId: 'getCapabilities',
  summary: 'What a scanner and the loaded plugins can do',
  description: 'The first call opens a closed scanner briefly.',
  tags: ['Scanners'],
  params: Params,
  response: { '2xx': CapabilitiesAnswer, ...refusals('device-not-found', 'busy', 'driver-failed', 'not-connected') },
};

const capabilities: Route = (app, { scans }) => {
  app.get('/api/twain/scanners/:name/capabilities', { schema }, async request => {
    const { resolutions, colorModes, supportedPageSizes, supportedOcrLanguages, ...rest } = await scans.capabilities(
      request.params.name,
    );
    return {
      success: true as const,
      capabilities: {
        resolutions: [...resolutions],
        colorModes: [...colorModes],
        ...rest,
        supportedPageSizes: [...supportedPageSizes],
        ...(supportedOcrLanguages ? { supportedOcrLanguages: [...supportedOcrLanguages] } : {}),
      },
    };
  });
};
export default capabilities;
