/** Tells a request of a page that this service served from one of any other page. */
import type { FastifyRequest } from 'fastify';
import { HttpError } from './errors.js';

/** The origin of pages that are served under the name by which this request calls the service. */
export function ownOrigin({ protocol, headers }: Pick<FastifyRequest, 'protocol' | 'headers'>): string {
  return `${protocol}://${headers.host ?? ''}`.toLowerCase();
}

/** Whose page asks; empty: a program. Browsers send no Origin with what a page reads from where it came from. */
export function originOf(request: Pick<FastifyRequest, 'protocol' | 'headers'>): string {
  const { origin, 'sec-fetch-site': site } = request.headers;
  return (origin ?? (site === 'same-origin' ? ownOrigin(request) : '')).toLowerCase();
}

/** Browsers send it with what changes something; a form, or a script without a preflight, cannot. */
export const pageHeader = 'x-platen-page';

/** For what a page only reads: browsers say of every request whose page it is. @throws HttpError `origin-refused` */
export function assertOwnPage(request: FastifyRequest): void {
  const { origin, 'sec-fetch-site': site } = request.headers;
  if (
    (origin === undefined || origin.toLowerCase() === ownOrigin(request)) &&
    (site === undefined || site === 'same-origin')
  )
    return;
  throw new HttpError('origin-refused', 'This is for the page at /app/ of this service only.');
}

/** For what a page changes: it also must say so. @throws HttpError `origin-refused` */
export function assertOwnPageActs(request: FastifyRequest): void {
  assertOwnPage(request);
  const { origin } = request.headers;
  if (origin !== undefined && request.headers[pageHeader] !== undefined) return;
  throw new HttpError(
    'origin-refused',
    `This is for the page at /app/ of this service only, which sends an Origin and the header ${pageHeader}.`,
  );
}
