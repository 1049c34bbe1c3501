/** `GET /reference`: the OpenAPI document as a page for people, which asks for nothing elsewhere. */
import { readFileSync } from 'node:fs';
import type { Route } from './route.js';

/** No script, style, picture or request but our own, and in no frame of anybody's. */
const policy = "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; img-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";
const headers = { 'content-security-policy': policy, 'x-content-type-options': 'nosniff', 'referrer-policy': 'no-referrer', 'cache-control': 'no-cache' };

const files = {
  '/reference': ['index.html', 'text/html; charset=utf-8'],
  '/reference/page.js': ['page.js', 'text/javascript; charset=utf-8'],
  '/reference/schema.js': ['schema.js', 'text/javascript; charset=utf-8'],
  '/reference/page.css': ['page.css', 'text/css; charset=utf-8'],
  '/reference/icon.svg': ['icon.svg', 'image/svg+xml'],
} as const;

const reference: Route = app => {
  for (const [path, [name, type]] of Object.entries(files)) {
    const text = readFileSync(new URL(`../../reference/${name}`, import.meta.url), 'utf8');
    app.get(path, { schema: { hide: true } }, async (_request, reply) => reply.headers(headers).type(type).send(text));
  }
};
export default reference;
