/** Serves files that do not change while the service runs; a browser that has one asks whether it changed. */
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { extname, posix } from 'node:path';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { App } from '../app.js';
import { matchesTag } from './conditional.js';
import { successes } from '../errors.js';

const types: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.svg': 'image/svg+xml',
  '.ts': 'application/typescript; charset=utf-8',
};

/** How a file is answered. */
type Answer = (request: FastifyRequest, reply: FastifyReply) => FastifyReply;

/**
 * @param path at which it is served
 * @param headers beside those of every file
 */
export function serveFile(app: App, path: string, file: URL, headers: Readonly<Record<string, string>> = {}): void {
  const answer = answerOf(file, headers);
  app.get(path, { schema: { hide: true } }, async (request, reply) => answer(request, reply));
}

/**
 * Serves each by its name. They have one route: one each, of which pages and the client have 180, was an eighth of the
 * processor time of a start.
 * @param path the folder, with its slash
 * @param headers beside those of every file
 */
export function serveFiles(
  app: App,
  path: string,
  files: readonly URL[],
  headers: Readonly<Record<string, string>> = {},
): void {
  const answers = new Map(files.map(file => [posix.basename(file.pathname), answerOf(file, headers)]));
  app.get<{ Params: { name: string } }>(`${path}:name`, { schema: { hide: true } }, async (request, reply) => {
    const answer = answers.get(request.params.name);
    return answer ? answer(request, reply) : reply.callNotFound();
  });
}

/** Reads it now: all files that a service serves are of one version. */
function answerOf(file: URL, headers: Readonly<Record<string, string>>): Answer {
  const content = readFileSync(file);
  const type = types[extname(file.pathname)] ?? 'text/plain; charset=utf-8';
  let etag: string | undefined;
  return (request, reply) => {
    etag ??= `"${createHash('sha256').update(content).digest('base64url')}"`;
    void reply.headers({ 'x-content-type-options': 'nosniff', 'cache-control': 'no-cache', etag, ...headers });
    if (matchesTag(request.headers['if-none-match'], etag)) return reply.code(successes.notModified).send();
    return reply.type(type).send(content);
  };
}
