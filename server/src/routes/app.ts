/** `GET /app/`: the page that people open to see a scanner work. */
import { readdirSync } from 'node:fs';
import { servePageFiles } from '../http/pageFiles.js';
import appProgress from './appProgress.js';
import appScanners from './appScanners.js';
import appTray from './appTray.js';
import type { Route } from '../route.js';

/** Beside the sources; the compiler copies nothing. */
const statics = new URL('../../src/web/app/', import.meta.url);
const scripts = new URL('../web/app/', import.meta.url);

const app: Route = (server, services) => {
  server.get('/app', { schema: { hide: true } }, async (_request, reply) => reply.redirect('/app/'));
  const files: Record<string, URL> = { '/app/': new URL('index.html', statics), '/app/icon.svg': new URL('../../reference/icon.svg', import.meta.url) };
  for (const name of readdirSync(statics)) if (/\.(?:css|svg)$/.test(name)) files[`/app/${name}`] = new URL(name, statics);
  for (const name of readdirSync(scripts)) if (/^\w+\.js$/.test(name)) files[`/app/${name}`] = new URL(name, scripts);
  servePageFiles(server, files, { ownPictures: true });
  for (const route of [appScanners, appProgress, appTray]) route(server, services);
};
export default app;
