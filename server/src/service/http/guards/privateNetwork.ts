/**
 * Answers browsers' private-network preflight; runs before CORS, which ends every preflight and does not support this
 * one.
 */
import fastifyPlugin from 'fastify-plugin';

/** The origin guard has already rejected other origins. */
export const privateNetwork = fastifyPlugin(
  async app => {
    app.addHook('onRequest', (request, reply, done) => {
      if (request.method === 'OPTIONS' && request.headers['access-control-request-private-network'] === 'true') {
        void reply.header('Access-Control-Allow-Private-Network', 'true');
      }
      done();
    });
  },
  { name: 'privateNetwork', fastify: '5.x', dependencies: ['originGuard'] },
);
