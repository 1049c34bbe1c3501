/** `GET /api/profiles`: the parameters that the configuration has under names. */
import { ProfileList } from '../../http/dto/schemas.js';
import type { Route } from '../../route.js';

const schema = {
  operationId: 'listProfiles',
  summary: 'List the profiles of the configuration',
  description:
    'A profile is a set of scan parameters. A request with `profile` has them where it does not say otherwise.',
  tags: ['Scanning'],
  response: { '2xx': ProfileList },
};

const profiles: Route = (app, services) => {
  app.get('/api/profiles', { schema }, async () => ({
    success: true as const,
    profiles: structuredClone(services.profiles),
  }));
};
export default profiles;
