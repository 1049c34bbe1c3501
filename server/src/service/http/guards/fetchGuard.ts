/**
 * Rejects a browser's requests that need no CORS: navigations, forms, and pages' pictures, scripts and downloads do not
 * reach `/api`, nor the figures of `/metrics`.
 *
 * Such a request needs no preflight and no permission for the local network, and a GET has no Origin to check. Its page
 * cannot read the answer, but could move paper, or take the pages of auto-scan from the page that can read them.
 * Browsers mark these requests (https://www.w3.org/TR/fetch-metadata/); programs do not.
 */
import type { FastifyRequest } from 'fastify';
import fastifyPlugin from 'fastify-plugin';
import { HttpError } from '../errors.js';

/** Paths that a person may open by typing the address: they open, move and take nothing. */
const typed: ReadonlySet<string> = new Set([
  '/metrics',
  '/api/twain/status',
  '/api/twain/version',
  '/api/twain/scanners',
]);

/** May open a scanner for a moment: only a browser that says that the person typed it. */
const capabilities = '/api/twain/scanners/:name/capabilities';

/** `Sec-Fetch-Mode` of requests under CORS: fetch, XMLHttpRequest and EventSource. */
const governed: ReadonlySet<string> = new Set(['cors', 'same-origin']);

/** The content types of forms; a script needs a preflight to send any other. */
const ofForms = /^\s*(?:text\/plain|application\/x-www-form-urlencoded|multipart\/form-data)\s*(?:;|$)/i;

/** Runs after CORS, so that a page whose fetch is rejected can read why. */
export const fetchGuard = fastifyPlugin(
  async app => {
    app.addHook('onRequest', (request, _reply, done) => {
      // The route, because a path can be spelt in several ways.
      const { url = '' } = request.routeOptions;
      if (!/^\/(?:api\b|metrics$)/.test(url)) return done();
      if (isOfForm(request))
        return done(
          new HttpError(
            'cors-required',
            'Rejected a form. From a page, call this with fetch, and with a body of "Content-Type: application/json" or none.',
          ),
        );
      if (!asksInOrder(request, url))
        return done(
          new HttpError(
            'cors-required',
            'Rejected a request without CORS. From a browser, use fetch or EventSource; an address, link, form, frame, picture or WebSocket cannot call this.',
          ),
        );
      done();
    });
  },
  { name: 'fetchGuard', fastify: '5.x', dependencies: ['cors'] },
);

/** Needs no fetch metadata, because older browsers lack it; they send an Origin with every POST. */
function isOfForm({ method, headers }: FastifyRequest): boolean {
  const { origin, 'content-type': contentType = '', 'sec-fetch-mode': mode } = headers;
  // A fetch whose body is "" has a form's type; it is the same request as one without a body.
  if (governed.has(String(mode)) && headers['content-length'] === '0') return false;
  return method === 'POST' && origin !== undefined && ofForms.test(contentType);
}

function asksInOrder({ method, headers }: FastifyRequest, route: string): boolean {
  const { origin, accept = '', upgrade, 'sec-fetch-mode': mode, 'sec-fetch-site': site } = headers;
  // Node answers a WebSocket's request like any other; it would take the pages of auto-scan.
  if (/\bwebsocket\b/i.test(upgrade ?? '')) return false;
  // Browsers without these headers (Safari before 16.4) ask for XHTML when they navigate; programs do not.
  if (mode === undefined && site === undefined)
    return origin !== undefined || !accept.includes('application/xhtml+xml') || typed.has(route);
  if (mode === 'navigate') return site === 'none' && method !== 'POST' && (typed.has(route) || route === capabilities);
  if (mode !== undefined && !governed.has(String(mode))) return false;
  // Node's fetch sends its mode but no site.
  return origin !== undefined || site === undefined || site === 'same-origin' || site === 'none';
}
