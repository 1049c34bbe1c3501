/** The files of our own pages, served under a policy that lets a page reach this service and nothing else. */
import { readdirSync, readFileSync } from 'node:fs';
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
  /** Where its document is served. */
  readonly address: string;
  /** Pictures that the page makes itself, of what was scanned, are shown. */
  readonly ownPictures?: boolean;
}

/** Pages lie beside the server's source, their scripts where the compiler puts them. */
const web = new URL('../../web/', import.meta.url);

/** Serves a page's document at its address, and the other files of its folder below the page's name. */
export function servePage(app: App, page: 'app' | 'reference', { address, ownPictures = false }: PageOptions): void {
  const headers = headersWith(ownPictures ? "'self' blob:" : "'self'");
  const serve = (path: string, file: URL): void => {
    const text = readFileSync(file, 'utf8');
    const type = types[extname(file.pathname)] ?? 'text/plain; charset=utf-8';
    app.get(path, { schema: { hide: true } }, async (_request, reply) => reply.headers(headers).type(type).send(text));
  };
  const serveAll = (folder: URL, names: RegExp): void => {
    for (const name of readdirSync(folder)) if (names.test(name)) serve(`/${page}/${name}`, new URL(name, folder));
  };
  serve(address, new URL(`${page}/index.html`, web));
  serve(`/${page}/icon.svg`, new URL('icon.svg', web));
  serveAll(new URL(`${page}/`, web), /\.css$/);
  serveAll(new URL(`dist/${page}/`, web), /^\w+\.js$/);
}
