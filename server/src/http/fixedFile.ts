/** Serves a file that does not change while the service runs; a browser that has it asks whether it changed. */
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { extname } from 'node:path';
import type { App } from './app.js';
import { matchesTag } from './conditional.js';
import { successes } from './errors.js';

const types: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.svg': 'image/svg+xml',
  '.ts': 'application/typescript; charset=utf-8',
};

/**
 * @param path at which it is served
 * @param headers beside those of every file
 */
export function serveFile(app: App, path: string, file: URL, headers: Readonly<Record<string, string>> = {}): void {
  const content = readFileSync(file);
  const type = types[extname(file.pathname)] ?? 'text/plain; charset=utf-8';
  const etag = `"${createHash('sha256').update(content).digest('base64url')}"`;
  const always = { 'x-content-type-options': 'nosniff', 'cache-control': 'no-cache', etag, ...headers };
  app.get(path, { schema: { hide: true } }, async (request, reply) => {
    void reply.headers(always);
    if (matchesTag(request.headers['if-none-match'], etag)) return reply.code(successes.notModified).send();
    return reply.type(type).send(content);
  });
}
