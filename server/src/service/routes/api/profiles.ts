/** `GET /api/profiles`: the parameters that the configuration has under names. */
import { ProfileList } from '../../shapes/schemas.js';
import type { Route } from '../../route.js';

const schema = {
  operationId: 'listProfiles',
  summary: 'List the profiles of the configuration',
  description:
    'A profile is a set of scan parameters. A request with `profile` has them where it does not say otherwise.',
  tags: ['Scanning'],
  response: { '2xx': ProfileList },
};

const profiles: Route = (app, parts) => {
  app.get('/api/profiles', { schema }, async () => ({
    success: true as const,
    profiles: structuredClone(parts.profiles),
  }));
};
export default profiles;
