/** Versioning: the service's version in two places, and none in paths or headers. */
import { get } from './calls.js';
import { spec } from './specTest.js';

export const versioning = [
  spec(
    'Versioning, 1 and 2: root info and version info have the same four-part version',
    ['versioning.1.service', 'versioning.2', 'resources.version.fourPart'],
    async (t, fixture) => {
      const { json: root } = await get<{ version: string }>(fixture, '/');
      const { json: version } = await get<{ serviceVersion: string }>(fixture, '/api/twain/version');
      t.equal(root.version, version.serviceVersion);
      t.match(version.serviceVersion, /^\d+(\.\d+){3}$/);
    },
  ),

  spec(
    'Versioning, 3: the version endpoint exists, so no client takes the service for a legacy install',
    ['versioning.3', 'errors.404.version', 'endpoints.version'],
    async (t, fixture) => {
      t.equal((await fixture.request('GET', '/api/twain/version')).status, 200);
      t.equal((await fixture.request('HEAD', '/api/twain/version')).status, 200);
    },
  ),

  spec('Versioning, 4: paths have no version, and no header is needed for one', 'versioning.4', async (t, fixture) => {
    t.equal((await fixture.request('GET', '/v1/api/twain/version')).status, 404);
    t.equal((await fixture.request('GET', '/api/v1/twain/version')).status, 404);
    t.equal(
      (
        await fixture.request('GET', '/api/twain/version', {
          headers: { accept: 'application/vnd.x.v9+json', 'api-version': '9' },
        })
      ).status,
      200,
    );
  }),
];
