/** Answers the private-network preflight of browsers; before CORS, which ends every preflight and does not know it. */
import fastifyPlugin from 'fastify-plugin';

/** Refused origins do not come this far. */
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
