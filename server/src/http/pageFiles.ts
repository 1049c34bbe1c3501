/** Serves the files of Platen's own pages, under a policy that lets a page reach this service only. */
import { readdirSync, readFileSync } from 'node:fs';
import { extname } from 'node:path';
import type { App } from './app.js';

/**
 * Allows only the service's own scripts, styles, pictures and requests, forbids frames, and never lets text become
 * markup.
 * @param images the allowed sources of pictures
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
  /** The path of its document. */
  readonly address: string;
  /** The page shows pictures that it makes itself, from scanned pages. */
  readonly ownPictures?: boolean;
}

/** Pages are beside the server's source, their scripts in the compiler's output folder. */
const web = new URL('../../web/', import.meta.url);

/** Serves a page's document at its address, and the folder's other files below the page's name. */
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
