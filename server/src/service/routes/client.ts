/** `GET /client.js` and `/component.js`: what web applications import, and its types, in the service's version. */
import { existsSync, readdirSync } from 'node:fs';
import { serveFile, serveFiles } from '../http/answers/fixedFile.js';
import type { Route } from '../route.js';

const folder = new URL('.', import.meta.resolve('@platen/client/package.json'));
const scripts = new URL('build/', folder);
const types = new URL('dist/', folder);

const client: Route = app => {
  // Tools that load types from a URL read this header.
  serveFile(app, '/client.js', new URL('client.js', scripts), { 'x-typescript-types': './client.d.ts' });
  serveFile(app, '/client.d.ts', new URL('client.d.ts', types));
  for (const path of foldersIn('client/', types)) serveFiles(app, `/${path}`, filesIn(path, types, /^\w+\.d\.ts$/));

  if (existsSync(new URL('component.js', scripts))) {
    serveFile(app, '/component.js', new URL('component.js', scripts), { 'x-typescript-types': './component.d.ts' });
    serveFile(app, '/component.d.ts', new URL('component.d.ts', types));
  }
  serveFiles(app, '/component/', [
    ...filesIn('component/', scripts, /^[\w-]+\.js$/),
    // What `component.d.ts` names; in a clone, the folder also has the declarations of the component's inside.
    ...filesIn('component/', types, /^(element|elementTypes|frameworks)\.d\.ts$/),
  ]);
  serveFiles(app, '/component/words/', filesIn('component/words/', types, /^(en|words)\.d\.ts$/));
};
export default client;

function filesIn(path: string, within: URL, names: RegExp): readonly URL[] {
  const from = new URL(path, within);
  if (!existsSync(from)) return [];
  return readdirSync(from)
    .filter(name => names.test(name))
    .map(name => new URL(name, from));
}

/** The folder and those in it, each with its slash. */
function foldersIn(path: string, within: URL): readonly string[] {
  const from = new URL(path, within);
  if (!existsSync(from)) return [path];
  const inside = readdirSync(from, { withFileTypes: true }).filter(each => each.isDirectory());
  return [path, ...inside.map(({ name }) => `${path}${name}/`)];
}
