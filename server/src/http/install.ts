/** Everything that happens to a request before its route, in the order in which it happens. */
import type { Security } from '../config/schema.js';
import type { App } from './app.js';
import { installCors } from './cors.js';
import { installEmptyBody } from './emptyBody.js';
import { installErrorAnswer } from './errorAnswer.js';
import { installFetchGuard } from './fetchGuard.js';
import { installHostGuard } from './hostGuard.js';
import { installOriginGuard } from './originGuard.js';
import { installPrivateNetwork } from './privateNetwork.js';

export { httpServerOptions } from './serverOptions.js';

/** Call it before the routes are added, on an app made with `httpServerOptions`. */
export async function installHttp(app: App, { security }: { readonly security: Security }): Promise<void> {
  installErrorAnswer(app);
  installEmptyBody(app);
  installHostGuard(app, security.allowedHosts);
  installOriginGuard(app, security.allowedOrigins);
  installPrivateNetwork(app);
  await installCors(app, security.allowedOrigins);
  // Behind CORS, so that a page whose fetch is refused can read why.
  installFetchGuard(app);
}
