/** The files of our own pages, served under a policy that lets a page reach this service and nothing else. */
import { readFileSync } from 'node:fs';
import { extname } from 'node:path';
import type { App } from './app.js';

/**
 * No script, style, picture or request but our own, in no frame of anybody's, and no text ever becomes markup.
 * @param images where pictures may come from
 */
const policyWith = (images: string): string =>
  `default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; img-src ${images}; base-uri 'none'; form-action 'none'; frame-ancestors 'none'; require-trusted-types-for 'script'; trusted-types 'none'`;

const headersWith = (images: string) => ({
  'content-security-policy': policyWith(images),
  'x-content-type-options': 'nosniff',
  'referrer-policy': 'no-referrer',
  'cross-origin-opener-policy': 'same-origin',
  'cache-control': 'no-cache',
});

const types: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.svg': 'image/svg+xml',
};

export interface PageOptions {
  /** Pictures that the page makes itself, of what was scanned, are shown. */
  readonly ownPictures?: boolean;
}

/** @param files by the path that each is served at */
export function servePageFiles(app: App, files: Readonly<Record<string, URL>>, { ownPictures = false }: PageOptions = {}): void {
  const headers = headersWith(ownPictures ? "'self' blob:" : "'self'");
  for (const [path, file] of Object.entries(files)) {
    const text = readFileSync(file, 'utf8');
    const type = types[extname(file.pathname)] ?? 'text/plain; charset=utf-8';
    app.get(path, { schema: { hide: true } }, async (_request, reply) => reply.headers(headers).type(type).send(text));
  }
}
