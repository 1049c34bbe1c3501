/**
 * Refuses to a browser what needs no CORS: navigations, forms, and pages' pictures, scripts and downloads reach no handler of `/api`.
 *
 * Such a request asks for no preflight and no permission for the local network, and a GET of its kind has no Origin that a list could refuse. Its page cannot read the answer; it
 * would take the pages of auto-scan from whoever can, or move paper. Browsers say which requests these are: https://www.w3.org/TR/fetch-metadata/. Programs say nothing of the kind.
 */
import type { FastifyRequest } from 'fastify';
import fastifyPlugin from 'fastify-plugin';
import { HttpError } from './errors.js';

/** What a person may read who types its address: nothing is opened, moved or taken by it. */
const typed: ReadonlySet<string> = new Set(['/api/twain/status', '/api/twain/version', '/api/twain/scanners']);

/** `Sec-Fetch-Mode` of what CORS governs: fetch, XMLHttpRequest and EventSource. */
const governed: ReadonlySet<string> = new Set(['cors', 'same-origin']);

/** The content types that a form sends; a script must ask with a preflight before it sends any other. */
const ofForms = /^\s*(?:text\/plain|application\/x-www-form-urlencoded|multipart\/form-data)\s*(?:;|$)/i;

/** After CORS, so that a page whose fetch is refused can read why. */
export const fetchGuard = fastifyPlugin(
  async app => {
    app.addHook('onRequest', (request, _reply, done) => {
      // The route and not the path, which may be written in several ways.
      const { url = '' } = request.routeOptions;
      if (!/^\/api\b/.test(url)) return done();
      if (isOfForm(request))
        return done(
          new HttpError(
            'cors-required',
            'From a page this call takes a body with the header "Content-Type: application/json", or none: not what a form sends.',
          ),
        );
      if (!asksInOrder(request, url))
        return done(
          new HttpError(
            'cors-required',
            'From a browser this call takes fetch or EventSource: not an address, a link, a form, a frame or a picture.',
          ),
        );
      done();
    });
  },
  { name: 'fetchGuard', fastify: '5.x', dependencies: ['cors'] },
);

/** Whatever else it says: browsers of before these headers send an Origin with every POST. */
function isOfForm({ method, headers: { origin, 'content-type': contentType = '' } }: FastifyRequest): boolean {
  return method === 'POST' && origin !== undefined && ofForms.test(contentType);
}

function asksInOrder({ method, headers }: FastifyRequest, route: string): boolean {
  const { origin, accept = '', 'sec-fetch-mode': mode, 'sec-fetch-site': site } = headers;
  // A browser of before these headers (Safari before 16.4) that navigates: programs do not ask for XHTML.
  if (mode === undefined && site === undefined)
    return origin !== undefined || !accept.includes('application/xhtml+xml') || typed.has(route);
  if (mode === 'navigate') return site === 'none' && method !== 'POST' && typed.has(route);
  if (mode !== undefined && !governed.has(String(mode))) return false;
  // Node's own fetch says its mode and no site.
  return origin !== undefined || site === undefined || site === 'same-origin' || site === 'none';
}
