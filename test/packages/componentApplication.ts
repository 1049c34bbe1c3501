/** An application that uses the packed types of `<platen-scan>`, and what its compiler says: strict, and declarations are checked, too. */
import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import type { Test } from 'tap';
import { clone } from './clone.js';

const of = async <Module>(name: string) =>
  (await import(new URL(`../../../setup/release/${name}.mjs`, import.meta.url).href)) as Module;
const { packedFiles } = await of<{ packedFiles(folders: string[]): Promise<Map<string, string[]>> }>('npmPack');
const { publishedManifest } = await of<{ publishedManifest(given: object): object }>('manifest');

/** As `stage` of the release makes it, without the documents; packs.long.test.ts has all packages as they are published. */
const folder = join(clone, 'clients', 'web');
const inTree = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')) as { name: string; version: string };
const files = (await packedFiles([folder])).get(inTree.name) ?? [];
const manifest = publishedManifest({ manifest: inTree, folder, files, version: inTree.version });
export const client = {
  files,
  read: (file: string): string | Buffer =>
    file === 'package.json' ? JSON.stringify(manifest) : readFileSync(join(folder, file)),
};

/** The repository's compiler, and the oldest that the dependencies bring. */
export const newest = join(clone, 'node_modules', 'typescript', 'bin', 'tsc');
export const oldest = join(clone, 'test', 'node_modules', 'typescript', 'bin', 'tsc');

/** An application that installed the package, with nothing around it that a compiler could find by chance. */
export function application(t: Test, files: Readonly<Record<string, string>>): string {
  const folder = mkdtempSync(join(tmpdir(), 'platen-types-'));
  t.teardown(() => rmSync(folder, { recursive: true }));
  const write = (path: string, text: string | Buffer): void => {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), text);
  };
  for (const file of client.files) write(`node_modules/@platen/client/${file}`, client.read(file));
  for (const [path, text] of Object.entries(files)) write(path, text);
  write('package.json', '{ "type": "module" }');
  return folder;
}

/** @returns what the compiler said; empty: nothing is wrong */
export function compiled(compiler: string, folder: string, files: readonly string[]): string {
  const compilerOptions = {
    strict: true,
    exactOptionalPropertyTypes: true,
    skipLibCheck: false,
    // Not those of the compiler itself.
    skipDefaultLibCheck: true,
    noEmit: true,
    target: 'ES2022',
    lib: ['ES2023', 'DOM', 'DOM.Iterable', 'DOM.AsyncIterable'],
    module: 'ESNext',
    moduleResolution: 'Bundler',
    jsx: 'react-jsx',
    types: [],
  };
  writeFileSync(join(folder, 'tsconfig.json'), JSON.stringify({ compilerOptions, files }));
  const { stdout, stderr } = spawnSync(process.execPath, [compiler, '-p', folder, '--pretty', 'false'], {
    encoding: 'utf8',
  });
  return stdout + stderr;
}

export const events = `
import { PlatenError, PlatenScan, type PlatenScanEventMap } from '@platen/client/component';

const scan = document.createElement('platen-scan');
const made: PlatenScan = scan;
scan.addEventListener('platen-done', ({ detail }) => {
  const names: readonly string[] = detail.files.map(file => file.name);
  void names;
});
const onError = ({ detail }: PlatenScanEventMap['platen-error']): void => {
  const isJam: boolean = detail instanceof PlatenError && detail.code === 'paper-jam';
  void isJam;
};
scan.addEventListener('platen-error', onError);
scan.removeEventListener('platen-error', onError);
scan.addEventListener('platen-change', () => void made.pages.length);
scan.addEventListener('click', event => void event.clientX);
// They bubble.
document.querySelector('form')?.addEventListener('platen-done', ({ detail }) => void detail.files[0]);
// @ts-expect-error there is no such field
scan.addEventListener('platen-done', ({ detail }) => void detail.pages);
`;

/** As @types/react is built: a namespace that is the module, and a runtime of JSX that extends its elements. */
const react = {
  'node_modules/react/package.json': JSON.stringify({
    name: 'react',
    version: '19.0.0',
    types: 'index.d.ts',
    exports: { '.': { types: './index.d.ts' }, './jsx-runtime': { types: './jsx-runtime.d.ts' } },
  }),
  'node_modules/react/index.d.ts': `
export = React;
export as namespace React;
declare namespace React {
  type ReactNode = string | number | JSX.Element | null | undefined;
  interface Attributes { key?: string | undefined }
  interface ClassAttributes<T> extends Attributes { ref?: ((instance: T | null) => void) | { current: T | null } | undefined }
  interface HTMLAttributes<T> {
    children?: ReactNode;
    className?: string | undefined;
    lang?: string | undefined;
    onClick?: ((event: { currentTarget: T }) => void) | undefined;
  }
  namespace JSX {
    interface Element { readonly type: unknown }
    interface ElementChildrenAttribute { children: {} }
    interface IntrinsicAttributes extends Attributes {}
    interface IntrinsicElements { main: HTMLAttributes<HTMLElement> }
  }
}
`,
  'node_modules/react/jsx-runtime.d.ts': `
import * as React from './index.js';
export namespace JSX {
  interface Element extends React.JSX.Element {}
  interface ElementChildrenAttribute extends React.JSX.ElementChildrenAttribute {}
  interface IntrinsicAttributes extends React.JSX.IntrinsicAttributes {}
  interface IntrinsicElements extends React.JSX.IntrinsicElements {}
}
export function jsx(type: unknown, props: unknown): React.JSX.Element;
export function jsxs(type: unknown, props: unknown): React.JSX.Element;
`,
  'App.tsx': `
import '@platen/client/component';
import type { PlatenScan } from '@platen/client/component';

let element: PlatenScan | null = null;
export const App = () => (
  <main>
    <platen-scan
      key="scan"
      ref={each => void (element = each)}
      className="wide"
      name="document"
      required
      actions="done save"
      parameters={{ resolution: 200, colorMode: 'Grayscale' }}
      onplaten-done={({ detail }) => void detail.files[0]?.name}
      onplaten-error={({ detail }) => void detail.code}
    >
      <main>To scan, install the scanning service.</main>
    </platen-scan>
  </main>
);
// @ts-expect-error it takes a number
export const Wrong = () => <platen-scan parameters={{ resolution: 'high' }} />;
`,
};

const vue = `
import '@platen/client/component';
import type { GlobalComponents } from 'vue';

type Props = InstanceType<GlobalComponents['platen-scan']>['$props'];
export const props: Props = {
  name: 'document',
  class: 'wide',
  parameters: { resolution: 200 },
  onPlatenDone: ({ detail }) => void detail.files[0]?.name,
};
// @ts-expect-error it takes a number
export const wrong: Props = { parameters: { resolution: 'high' } };
`;

const vueFolder = join(clone, 'node_modules', 'vue');

/** The element in React's JSX and among Vue's components. @returns what the compiler said; empty: nothing is wrong */
export function underFrameworks(t: Test, compiler: string): string {
  const folder = application(t, { ...react, 'events.ts': events, 'vue.ts': vue });
  symlinkSync(vueFolder, join(folder, 'node_modules', 'vue'), 'junction');
  return compiled(compiler, folder, ['App.tsx', 'events.ts', 'vue.ts']);
}
