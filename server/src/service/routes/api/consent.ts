/** `GET` and `POST /api/consent`: whether the calling page may scan, and asking the person. */
import { InvalidValue } from '@platen/core';
import type { FastifyRequest } from 'fastify';
import type { Standing } from '../../consent/consent.js';
import { grantBody, GrantError, rights, rightsIn, scannersIn } from '../../consent/grant.js';
import { callerOf, linkOf } from '../../http/guards/consentGuard.js';
import { spelt } from '../../parameters/validation.js';
import { refusals } from '../../openapi/refusals.js';
import type { Route } from '../../route.js';
import { Type } from '../../../machine/schemaType.js';

const may = Type.Array(Type.Enum([...rights]), {
  description:
    '`scan`: list scanners, and scan. `auto-scan`: scan what is inserted. `settings`: scan with `driverOptions`.',
});
const scanners = Type.Unsafe<unknown>({
  anyOf: [{ const: '*' }, { type: 'array', items: { type: 'string' } }],
  description: 'All scanners, or those with these names.',
});

const ConsentAnswer = Type.Object(
  {
    success: Type.Literal(true),
    mode: Type.Enum(['open', 'list', 'ask'], { description: 'As `security.origins` of the configuration is.' }),
    state: Type.Enum(['granted', 'none', 'asked', 'refused'], {
      description:
        'granted: the page may scan. asked: the person did not answer yet. none: nobody is asked, perhaps because too many pages are asking.',
    }),
    may,
    scanners: Type.Optional(scanners),
    until: Type.Optional(Type.String({ format: 'date-time', description: 'Absent: until the person takes it back.' })),
    link: Type.String({ description: "Where the person answers, on the service's own page." }),
    pass: Type.Optional(
      Type.String({
        description:
          'With `security.localPrograms: "token"`: the page sends it as `Authorization: Bearer` from now on. It is valid after a yes.',
      }),
    ),
  },
  { title: 'Consent', 'x-response-description': 'How the page stands.' },
);

const ConsentBody = Type.Unsafe<{ may?: unknown; scanners?: unknown }>({
  type: 'object',
  title: 'ConsentRequest',
  description: 'What the page wants; absent: to scan, with any scanner.',
  properties: { may, scanners },
  examples: [{ may: ['scan', 'auto-scan'] }],
});

const ask = {
  operationId: 'askForConsent',
  summary: 'Ask the person to allow this page',
  description:
    'Puts a question on the page of `link`, unless it is answered already. A call that is not allowed asks as well; this call can name scanners and more rights. Read the answer with `GET /api/consent`, each second; a question that nobody reads lapses after ten minutes.',
  tags: ['Consent'],
  body: ConsentBody,
  response: { '2xx': ConsentAnswer, ...refusals('invalid-value', 'invalid-json') },
};
const readConsent = {
  operationId: 'readConsent',
  summary: 'Whether this page may scan',
  description: 'A program, and any page where `security.origins` is not `ask`, may do everything.',
  tags: ['Consent'],
  response: { '2xx': ConsentAnswer },
};

const consent: Route = (app, { consent: its }) => {
  const body = (request: FastifyRequest, standing: Standing & { readonly pass?: string }) => {
    const { state, grant, pass } = standing;
    return {
      success: true as const,
      mode: its.mode,
      state,
      may: [],
      ...(grant ? grantBody(grant) : {}),
      link: linkOf(request, standing),
      ...(pass === undefined ? {} : { pass }),
    };
  };
  app.get('/api/consent', { schema: readConsent }, async (request, reply) =>
    reply.header('cache-control', 'no-store').send(body(request, its.standing(callerOf(request)))),
  );
  app.post(
    '/api/consent',
    { schema: ask, preValidation: async request => void (request.body = spelt(ConsentBody, request.body)) },
    async (request, reply) => {
      const { may: wanted, scanners: which } = request.body;
      const wish = invalidAsSuch(() => ({
        ...(wanted === undefined ? {} : { may: rightsIn(wanted) }),
        ...(which === undefined ? {} : { scanners: scannersIn(which) }),
      }));
      return reply.header('cache-control', 'no-store').send(body(request, its.ask(callerOf(request), wish)));
    },
  );
};
export default consent;

/** @throws `InvalidValue` for a GrantError */
export function invalidAsSuch<T>(read: () => T): T {
  try {
    return read();
  } catch (error) {
    throw error instanceof GrantError ? new InvalidValue(error.field, error.takes) : error;
  }
}
