/** Plugins of esbuild for the scanning component. */
import { readFile } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import { transform } from 'esbuild';
import { root } from './step.mjs';

/**
 * Minifies style sheets, which scripts import as text.
 * @type {import('esbuild').Plugin}
 */
export const styleSheets = {
  name: 'style-sheets',
  setup({ onLoad, initialOptions: { target } }) {
    onLoad({ filter: /\.css$/ }, async ({ path }) => {
      const { code } = await transform(await readFile(path, 'utf8'), { loader: 'css', minify: true, target });
      return { contents: code.trim(), loader: 'text' };
    });
  },
};

/**
 * What the entry needs is one file, although parts that are loaded later share some of it: for esbuild, each of them
 * imports the entry, so that all share everything.
 * @type {import('esbuild').Plugin}
 */
export const oneFirst = {
  name: 'one-first',
  setup({ onLoad, onResolve, initialOptions: { entryPoints } }) {
    const later = new Set();
    const entry = () => ({ path: entryPoints?.[0], sideEffects: true });
    onResolve({ filter: /^first:entry$/ }, entry);
    onResolve({ filter: /^[./]/ }, ({ kind, path, resolveDir }) => {
      if (kind === 'entry-point') return entry();
      if (kind === 'dynamic-import') later.add(resolve(resolveDir, path.replace(/\.js$/, '.ts')));
      return undefined;
    });
    onLoad({ filter: /\.ts$/ }, async ({ path }) => {
      const before = later.has(path) ? `import 'first:entry';\n` : '';
      // Indents mean nothing in the code, nor in the HTML of its templates.
      const code = (await readFile(path, 'utf8')).replace(/\n\s+/g, '\n');
      return { contents: before + code, loader: 'ts', resolveDir: dirname(path) };
    });
  },
};

/**
 * Takes lit-html's build that needs no document when it is imported: servers that render pages import the component, too.
 * @type {import('esbuild').Plugin}
 */
export const withoutDocument = {
  name: 'without-document',
  setup({ onResolve }) {
    onResolve({ filter: /^lit-html(\/|$)/ }, ({ path }) => ({
      path: join(
        root,
        'node_modules',
        'lit-html',
        'node',
        path === 'lit-html' ? 'lit-html.js' : path.slice('lit-html/'.length),
      ),
      sideEffects: false,
    }));
  },
};
