/** Distinguishes requests of pages that this service served from those of other pages. */
import type { FastifyRequest } from 'fastify';
import { HttpError } from '../errors.js';

/** The origin of the service's pages, under the host name that this request uses. */
export function ownOrigin({ protocol, headers }: Pick<FastifyRequest, 'protocol' | 'headers'>): string {
  return `${protocol}://${headers.host ?? ''}`.toLowerCase();
}

/** The origin of the calling page; empty for a program. Browsers send no Origin with a same-origin GET. */
export function originOf(request: Pick<FastifyRequest, 'protocol' | 'headers'>): string {
  const { origin, 'sec-fetch-site': site } = request.headers;
  return (origin ?? (site === 'same-origin' ? ownOrigin(request) : '')).toLowerCase();
}

/** The service's pages send it with every change; a form, or a script without a preflight, cannot. */
export const pageHeader = 'x-platen-page';

/** For reads: browsers mark the origin of every request. @throws HttpError `origin-refused` */
export function assertOwnPage(request: FastifyRequest): void {
  const { origin, 'sec-fetch-site': site } = request.headers;
  if (
    (origin === undefined || origin.toLowerCase() === ownOrigin(request)) &&
    (site === undefined || site === 'same-origin')
  )
    return;
  throw new HttpError('origin-refused', "Only this service's own page at /app/ may call this.");
}

/** For changes: the page must also send `pageHeader`. @throws HttpError `origin-refused` */
export function assertOwnPageActs(request: FastifyRequest): void {
  assertOwnPage(request);
  const { origin } = request.headers;
  if (origin !== undefined && request.headers[pageHeader] !== undefined) return;
  throw new HttpError(
    'origin-refused',
    `Only this service's own page at /app/ may call this; it sends an Origin and the header ${pageHeader}.`,
  );
}
