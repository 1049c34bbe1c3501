/**
 * Rejects, before any handler, what nobody allowed: pages without a grant where pages must ask, and local programs
 * without the token where they need one. Runs after CORS, so that the page can read how to ask.
 */
import type { FastifyRequest } from 'fastify';
import fastifyPlugin from 'fastify-plugin';
import type { Consent, Standing } from '../../consent/consent.js';
import type { Caller } from '../../consent/holds.js';
import { isScanners, type Right, type Scanners } from '../../consent/grant.js';
import { HttpError } from '../errors.js';
import { originOf, ownOrigin } from './ownPage.js';

/** Beside `/api`: calls of the service's own pages. Other paths tell and do nothing. */
const ownCalls: ReadonlySet<string> = new Set([
  '/app/about',
  '/app/plugins',
  '/app/scanners',
  '/app/tray/:name',
  '/origins/state',
  '/origins/answers',
  '/origins/revocations',
]);
const isGuarded = (route: string): boolean => /^\/(?:api\b|metrics$)/.test(route) || ownCalls.has(route);

/** What pages need before they can ask. */
const beforeConsent = /^\/(?:health|client\.(?:js|d\.ts)|component\.js|(?:client|component)\/.*|api\/consent)?$/;

const rightOf = (route: string): Right => (route.startsWith('/api/twain/autoscan/') ? 'auto-scan' : 'scan');

export function callerOf(request: FastifyRequest): Caller {
  const secret = /^Bearer +([\w-]{1,200})$/i.exec(request.headers.authorization ?? '')?.[1];
  const origin = originOf(request);
  return { origin, isOwn: origin === ownOrigin(request), secret };
}

declare module 'fastify' {
  interface FastifyContextConfig {
    /** The route stops in its own way when the caller's grant ends. */
    readonly endsItself?: boolean;
  }
}

/** A page that nobody allowed, and where the person can. */
export class ConsentError extends HttpError {
  readonly link: string;
  readonly may: readonly Right[];

  constructor(code: 'consent-required' | 'consent-refused', message: string, link: string, may: readonly Right[]) {
    super(code, message);
    this.link = link;
    this.may = may;
  }
}

/** Where the person answers. */
export const linkOf = (request: FastifyRequest, { question }: Standing): string =>
  `${ownOrigin(request)}/origins/${question ? `#${question.id}` : ''}`;

/**
 * Asks the person, unless the answer is known.
 * @throws ConsentError, HttpError `origin-refused` for a page that cannot be allowed
 */
export function assertAllowed(request: FastifyRequest, consent: Consent, right: Right, scanners?: Scanners): void {
  const caller = callerOf(request);
  const names = scanners === undefined || scanners === '*' ? [undefined] : scanners;
  if (names.every(name => consent.allows(caller, right, name))) return;
  consent.denied(caller, right);
  const canAsk = !consent.needsPass(caller) && (scanners === undefined || isScanners(scanners));
  const standing = canAsk
    ? consent.ask(caller, { may: [right], ...(scanners === undefined ? {} : { scanners }) })
    : consent.standing(caller);
  const link = linkOf(request, standing);
  if (standing.state === 'refused')
    throw new ConsentError(
      'consent-refused',
      `This web page may not scan: a person or an administrator of this computer said no. To change that, open ${link}`,
      link,
      [right],
    );
  const [what, ask] =
    right === 'scan' && scanners === undefined
      ? ['scan', 'open']
      : ['do this', `allow "${right}"${scanners === undefined ? '' : ' for this scanner'} at`];
  throw new ConsentError(
    'consent-required',
    `Nobody allowed this web page to ${what} yet. To allow it, ${ask} ${link}`,
    link,
    [right],
  );
}

export const consentGuard = fastifyPlugin<{ readonly consent: Consent }>(
  async (app, { consent }) => {
    app.addHook('onRequest', (request, reply, done) => {
      const { url: route = '' } = request.routeOptions;
      const caller = callerOf(request);
      if (consent.hasToken(caller)) return done();
      if (caller.origin !== '' && !caller.isOwn) {
        if (beforeConsent.test(route)) return done();
        const right = rightOf(route);
        assertAllowed(request, consent, right);
        // Whatever is still being sent when the grant ends is broken off.
        if (consent.mode === 'ask' && request.routeOptions.config.endsItself !== true)
          reply.raw.once('close', consent.holds.hold({ caller, right, stop: () => reply.raw.destroy() }));
      } else if (consent.localPrograms === 'token' && isGuarded(route)) {
        // RFC 9110, 15.5.2.
        void reply.header('www-authenticate', 'Bearer');
        throw new HttpError(
          'token-required',
          'Local programs need a token here. Send "Authorization: Bearer" with the content of local.token in the data folder; for a page of this service, open the address that "platen origins link" prints.',
        );
      }
      done();
    });
  },
  { name: 'consentGuard', fastify: '5.x', dependencies: ['fetchGuard'] },
);
