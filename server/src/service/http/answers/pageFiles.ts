/** Serves the files of Platen's own pages, under a policy that lets a page reach this service only. */
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { serverFolder } from '../../../machine/packageFolders.js';
import type { App } from '../app.js';
import { serveFile, serveFiles } from './fixedFile.js';

/**
 * Allows only the service's own scripts, styles, pictures and requests, forbids frames, and never lets text become
 * markup.
 * @param images the allowed sources of pictures
 * @param types the policies of Trusted Types that may make markup
 */
const policyWith = (images: string, types: string): string =>
  `default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; img-src ${images}; base-uri 'none'; form-action 'none'; frame-ancestors 'none'; require-trusted-types-for 'script'; trusted-types ${types}`;

const headersWith = (policy: string) => ({
  'content-security-policy': policy,
  'referrer-policy': 'no-referrer',
  'cross-origin-opener-policy': 'same-origin',
});

export interface PageOptions {
  /** The path of its document. */
  readonly address: string;
  /** The page has the scanning component, which shows pictures that it makes itself, and templates of lit-html. */
  readonly hasComponent?: boolean;
}

/** Pages are beside the server's source, their bundled scripts in `build`. */
const web = pathToFileURL(join(serverFolder, 'web', '/'));

/** Serves a page's document at its address, and the folder's other files below the page's name, with the styles that pages share. */
export function servePage(
  app: App,
  page: 'app' | 'origins' | 'reference' | 'settings',
  { address, hasComponent = false }: PageOptions,
): void {
  const headers = headersWith(hasComponent ? policyWith("'self' blob:", 'lit-html') : policyWith("'self'", "'none'"));
  const filesIn = (folder: string, names: RegExp): readonly URL[] => {
    const from = new URL(`${folder}/`, web);
    return readdirSync(from)
      .filter(name => names.test(name))
      .map(name => new URL(name, from));
  };
  serveFile(app, address, new URL(`${page}/index.html`, web), headers);
  const files = [
    new URL('icon.svg', web),
    ...filesIn('shared', /\.css$/),
    ...filesIn(page, /\.css$/),
    ...filesIn(`build/${page}`, /^[\w-]+\.js$/),
  ];
  serveFiles(app, `/${page}/`, files, headers);
}
