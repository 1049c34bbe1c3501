/** Answers the private-network preflight of browsers; before CORS, which ends every preflight and does not know it. */
import type { App } from './app.js';

/** Refused origins do not come this far. */
export function installPrivateNetwork(app: App): void {
  app.addHook('onRequest', (request, reply, done) => {
    if (request.method === 'OPTIONS' && request.headers['access-control-request-private-network'] === 'true') {
      void reply.header('Access-Control-Allow-Private-Network', 'true');
    }
    done();
  });
}
