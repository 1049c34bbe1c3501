/** `GET /reference`: the OpenAPI document as a page for people, which asks for nothing elsewhere. */
import { servePageFiles } from '../http/pageFiles.js';
import type { Route } from '../route.js';

const file = (name: string): URL => new URL(`../../reference/${name}`, import.meta.url);

const reference: Route = app => {
  servePageFiles(app, {
    '/reference': file('index.html'),
    '/reference/page.js': file('page.js'),
    '/reference/schema.js': file('schema.js'),
    '/reference/page.css': file('page.css'),
    '/reference/icon.svg': file('icon.svg'),
  });
};
export default reference;
