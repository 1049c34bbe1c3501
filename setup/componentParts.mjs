/** Plugins of esbuild for the scanning component. */
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
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
