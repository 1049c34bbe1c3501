/** `GET /client.js`: the module that web applications import, and its types, in the service's version. */
import { readdirSync, readFileSync } from 'node:fs';
import type { Route } from '../route.js';

const folder = new URL('.', import.meta.resolve('@platen/client'));
const headers = { 'x-content-type-options': 'nosniff', 'cache-control': 'no-cache' };

const client: Route = app => {
  const modules = readdirSync(new URL('client/', folder)).map(name => `client/${name}`);
  for (const name of ['client.js', 'client.d.ts', ...modules]) {
    if (!/^[\w/]+(?:\.d\.ts|\.js)$/.test(name)) continue;
    const text = readFileSync(new URL(name, folder), 'utf8');
    const type = name.endsWith('.js') ? 'text/javascript; charset=utf-8' : 'application/typescript; charset=utf-8';
    // Tools that load types from a URL read this header.
    const types = name === 'client.js' ? { 'x-typescript-types': './client.d.ts' } : {};
    app.get(`/${name}`, { schema: { hide: true } }, async (_request, reply) =>
      reply
        .headers({ ...headers, ...types })
        .type(type)
        .send(text),
    );
  }
};
export default client;
