/** `GET /client.js`: the module that web applications import, in one file, and its types, in the service's version. */
import { existsSync, readdirSync } from 'node:fs';
import { serveFile } from '../http/fixedFile.js';
import type { Route } from '../route.js';

const folder = new URL('.', import.meta.resolve('@platen/client/package.json'));
const scripts = new URL('build/', folder);
const types = new URL('dist/', folder);

const client: Route = app => {
  // Tools that load types from a URL read this header.
  serveFile(app, '/client.js', new URL('client.js', scripts), { 'x-typescript-types': './client.d.ts' });
  serveFile(app, '/client.d.ts', new URL('client.d.ts', types));
  serveAll('client/', types, /^\w+\.d\.ts$/);

  if (existsSync(new URL('component.js', scripts))) serveFile(app, '/component.js', new URL('component.js', scripts));
  serveAll('component/', scripts, /^[\w-]+\.js$/);

  function serveAll(path: string, within: URL, names: RegExp): void {
    const from = new URL(path, within);
    if (!existsSync(from)) return;
    for (const name of readdirSync(from)) if (names.test(name)) serveFile(app, `/${path}${name}`, new URL(name, from));
  }
};
export default client;
