/** `GET /openapi.json`: the interface as an OpenAPI document, for programs; `/reference` shows it to people. */
import type { Route } from '../route.js';

const schema = {
  operationId: 'getOpenApi',
  summary: 'This document',
  description: 'OpenAPI 3.1, generated from the schemas with which the service checks requests and serializes answers.',
  tags: ['Reference'],
};
const response = { '2xx': { type: 'object', description: 'An OpenAPI document.' } };

const openapi: Route = app => {
  let text: string | undefined;
  app.get('/openapi.json', { schema, config: { document: { response } } }, async (_request, reply) => {
    text ??= JSON.stringify(await app.openApi());
    return reply.type('application/json; charset=utf-8').header('cache-control', 'no-cache').send(text);
  });
};
export default openapi;
