/** Runs a program of tests as if Node ran it, `node test/dist/tools/aloneProcess.js FILE [ARGUMENT…]`, but unwatched by tap. */
import { resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { unwatch } from './unwatched.js';

unwatch();
process.argv.splice(1, 1);
const [, file = ''] = process.argv;
process.argv[1] = resolve(file);
await import(pathToFileURL(process.argv[1]).href);
