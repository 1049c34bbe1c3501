/** `/origins/`: the page on which the person lets web pages scan, and its calls. */
import { ScanError } from '@platen/core';
import { grantBody, grantIn, originIn } from '../consent/grant.js';
import { HttpError } from '../http/errors.js';
import { assertOwnPage, assertOwnPageActs } from '../http/guards/ownPage.js';
import { servePage } from '../http/answers/pageFiles.js';
import type { Route } from '../route.js';
import { Type } from '../../machine/schemaType.js';
import { invalidAsSuch } from './api/consent.js';

const hidden = { schema: { hide: true, body: Type.Unsafe<unknown>({ type: 'object' }) } };
const noStore = ['cache-control', 'no-store'] as const;
const iso = (time: number | undefined): object => (time === undefined ? {} : { at: new Date(time).toISOString() });

const origins: Route = (app, { consent, scans }) => {
  const assertOpen = (origin: string): void => {
    if (consent.isFixed(origin))
      throw new HttpError(
        'bad-request',
        `An administrator decided about ${origin}, in origins.json beside the configuration. Only that file changes it.`,
      );
  };

  app.get('/origins', { schema: { hide: true } }, async (_request, reply) => reply.redirect('/origins/'));
  servePage(app, 'origins', { address: '/origins/' });

  app.get(
    '/origins/state',
    { schema: { hide: true }, onRequest: async request => assertOwnPage(request) },
    async (_request, reply) =>
      reply.header(...noStore).send({
        success: true,
        mode: consent.mode,
        localPrograms: consent.localPrograms,
        scanners: (await scans.list().catch(noneIfAway)).map(({ name }) => name),
        asked: consent
          .questions()
          .map(({ id, origin, may, scanners, at }) => ({ id, origin, may, scanners, ...iso(at) })),
        grants: consent.grants().map(({ by, at, ...grant }) => ({ ...grantBody(grant), by, ...iso(at) })),
      }),
  );

  app.post(
    '/origins/answers',
    { ...hidden, onRequest: async request => assertOwnPageActs(request) },
    async (request, reply) => {
      const { id } = request.body as { id?: unknown };
      const grant = invalidAsSuch(() => grantIn(request.body));
      assertOpen(grant.origin);
      consent.answer({ ...grant, ...(typeof id === 'string' ? { id } : {}) });
      return reply.header(...noStore).send({ success: true });
    },
  );

  app.post(
    '/origins/revocations',
    { ...hidden, onRequest: async request => assertOwnPageActs(request) },
    async (request, reply) => {
      const origin = invalidAsSuch(() => originIn((request.body as { origin?: unknown }).origin));
      assertOpen(origin);
      consent.revoke(origin);
      return reply.header(...noStore).send({ success: true });
    },
  );
};
export default origins;

/** The desktop application is not connected: its scanners are not known. */
function noneIfAway(error: unknown): readonly never[] {
  if (error instanceof ScanError) return [];
  throw error;
}
