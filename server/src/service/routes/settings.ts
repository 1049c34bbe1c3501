/** `/settings/`: the page on which the person for whom `platen settings` runs changes the options of plugins. */
import type { FastifyRequest } from 'fastify';
import { servePage } from '../http/answers/pageFiles.js';
import { HttpError } from '../http/errors.js';
import { assertOwnPage, assertOwnPageActs } from '../http/guards/ownPage.js';
import type { Route } from '../route.js';
import type { Change } from '../settings/proposal.js';
import type { Done } from '../settings/session.js';
import { goneOf } from '../responses/gone.js';
import { Type } from '../../machine/schemaType.js';
import { isSameSecret } from '../consent/sameSecret.js';

const noStore = ['cache-control', 'no-store'] as const;
/** The page's key, or the command's token. */
const HEADER = 'x-platen-settings';

const Name = Type.String({ minLength: 1, maxLength: 500 });
const Changes = Type.Object(
  {
    changes: Type.Array(
      Type.Object(
        {
          use: Name,
          enabled: Type.Optional(Type.Boolean()),
          options: Type.Optional(Type.Unsafe<Record<string, unknown>>({ type: 'object' })),
          unset: Type.Optional(Type.Array(Name, { maxItems: 1000 })),
        },
        { additionalProperties: false },
      ),
      { minItems: 1, maxItems: 200 },
    ),
    digest: Type.Optional(Type.String({ maxLength: 64 })),
  },
  { additionalProperties: false },
);
const Attending = Type.Object(
  {
    key: Type.Optional(Type.String({ maxLength: 64 })),
    done: Type.Optional(
      Type.Object(
        { id: Type.String({ maxLength: 64 }), fault: Type.Optional(Type.String({ maxLength: 2000 })) },
        { additionalProperties: false },
      ),
    ),
  },
  { additionalProperties: false },
);

const settings: Route = (app, { settings: desk }) => {
  const secretIn = ({ headers }: FastifyRequest): string => {
    const given = headers[HEADER];
    return typeof given === 'string' ? given : '';
  };
  const assertKey = (request: FastifyRequest): void => {
    if (desk.session.admits(secretIn(request))) return;
    throw new HttpError(
      'token-required',
      'Only the page that "platen settings" opens may do this. Run it, with sudo or as administrator.',
    );
  };
  const reads = { onRequest: async (request: FastifyRequest) => (assertOwnPage(request), assertKey(request)) };
  const acts = { onRequest: async (request: FastifyRequest) => (assertOwnPageActs(request), assertKey(request)) };
  const hidden = { schema: { hide: true } };
  const changes = { schema: { hide: true, body: Changes }, ...acts };

  app.get('/settings', hidden, async (_request, reply) => reply.redirect('/settings/'));
  servePage(app, 'settings', { address: '/settings/' });

  app.get('/settings/state', { ...hidden, ...reads }, async (_request, reply) =>
    reply.header(...noStore).send({ success: true, ...(await desk.state()) }),
  );
  app.post('/settings/preview', changes, async (request, reply) =>
    reply.header(...noStore).send({ success: true, ...(await desk.preview(request.body.changes as Change[])) }),
  );
  app.post('/settings/save', changes, async (request, reply) => {
    const { changes: wanted, digest = '' } = request.body;
    return reply.header(...noStore).send({ success: true, ...(await desk.save(wanted as Change[], digest)) });
  });
  app.get(
    '/settings/found',
    { schema: { hide: true, querystring: Type.Object({ use: Name }) }, ...reads },
    async (request, reply) =>
      reply.header(...noStore).send({ success: true, found: await desk.find(request.query.use, goneOf(reply)) }),
  );

  app.post(
    '/settings/work',
    {
      schema: { hide: true, body: Attending },
      onRequest: async request => {
        // A page of whatever origin has no business here.
        const { origin, 'sec-fetch-site': site } = request.headers;
        const isProgram = origin === undefined && site === undefined;
        if (isProgram && desk.token !== undefined && isSameSecret(secretIn(request), desk.token)) return;
        throw new HttpError('token-required', 'Only "platen settings" may call this.');
      },
    },
    async (request, reply) => {
      const { key, done } = request.body;
      const attended = await desk.session.attend(key, done as Done | undefined, goneOf(reply));
      if (!attended)
        throw new HttpError('bad-request', 'Another "platen settings" took over, or the service was started again.');
      return reply.header(...noStore).send({ success: true, ...attended });
    },
  );
};
export default settings;
