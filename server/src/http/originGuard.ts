/** Refuses requests of web pages from elsewhere than `security.allowedOrigins`, before any handler. */
import type { App } from './app.js';
import type { Security } from '../config/schema.js';
import { HttpError } from './errors.js';
import { ownOrigin } from './ownPage.js';

export type AllowedOrigins = Security['allowedOrigins'];

/** An origin is a scheme, a host and a port, and none of them has letter case. */
const plain = (origin: string): string => origin.toLowerCase();

/** Whether pages of this origin may call; `null`, the origin of sandboxed and local pages, is on no list. */
export function originAllowed(allowed: AllowedOrigins): (origin: string) => boolean {
  if (allowed === '*') return () => true;
  const list = new Set(allowed.map(plain));
  return origin => list.has(plain(origin));
}

export function installOriginGuard(app: App, allowedOrigins: AllowedOrigins): void {
  const allowed = originAllowed(allowedOrigins);
  app.addHook('onRequest', (request, _reply, done) => {
    const { origin } = request.headers;
    // Without an Origin it is no web page's request: curl, or the browser's own address line.
    // Our own pages are served under a name that the host guard let pass.
    if (origin === undefined || allowed(origin) || plain(origin) === ownOrigin(request)) return done();
    done(new HttpError('origin-refused', 'Pages of this origin may not use the scanners: security.allowedOrigins does not list it.'));
  });
}
