/** The examples of clients/web, bundled as a build tool would. */
import { readFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build, type Plugin } from 'esbuild';
import { compileScript, parse } from 'vue/compiler-sfc';

const clone = fileURLToPath(new URL('../../..', import.meta.url));
export const examples = join(clone, 'clients', 'web', 'examples');
/** Frameworks are dependencies of the tests. */
const here = dirname(fileURLToPath(import.meta.url));

const packages: Plugin = {
  name: 'packages of the tests',
  setup({ onResolve, resolve }) {
    onResolve({ filter: /^[^./]/ }, ({ path, kind, pluginData, resolveDir }) =>
      pluginData === packages || !resolveDir.startsWith(examples)
        ? undefined
        : resolve(path, { kind, resolveDir: here, pluginData: packages }),
    );
  },
};

const vue: Plugin = {
  name: 'Vue components',
  setup({ onLoad }) {
    onLoad({ filter: /\.vue$/ }, async ({ path }) => {
      const templateParseOptions = { isCustomElement: (tag: string) => tag === 'platen-scan' };
      const { descriptor } = parse(await readFile(path, 'utf8'), { filename: path, templateParseOptions });
      const { content } = compileScript(descriptor, { id: path, inlineTemplate: true });
      return { contents: content, loader: 'js', resolveDir: dirname(path) };
    });
  },
};

/** @param entry in the folder of examples @returns a module's text */
export async function bundled(entry: string): Promise<string> {
  const { outputFiles } = await build({
    entryPoints: [join(examples, entry)],
    bundle: true,
    format: 'esm',
    target: 'es2022',
    jsx: 'automatic',
    write: false,
    outdir: 'out',
    splitting: false,
    define: {
      'process.env.NODE_ENV': '"development"',
      __VUE_OPTIONS_API__: 'false',
      __VUE_PROD_DEVTOOLS__: 'false',
      __VUE_PROD_HYDRATION_MISMATCH_DETAILS__: 'false',
    },
    tsconfigRaw: { compilerOptions: { experimentalDecorators: true } },
    plugins: [packages, vue],
  });
  return outputFiles[0]?.text ?? '';
}
