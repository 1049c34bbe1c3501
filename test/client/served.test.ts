/** The client module as the service serves it, in one file, and as applications bundle it. */
import { fileURLToPath } from 'node:url';
import type * as client from '@platen/client';
import { build, type BuildOptions } from 'esbuild';
import t from 'tap';
import { start } from '../spec/specTest.js';
import { virtualTopology } from '../topology/virtualTopology.js';

const fixture = await start(t, virtualTopology);
const origin = 'https://app.example';
const get = (path: string, headers: Readonly<Record<string, string>> = {}) =>
  fixture.request('GET', path, { headers: { origin, ...headers } });

const bundled = async (contents: string, options: Pick<BuildOptions, 'external' | 'define'> = {}) => {
  const { outputFiles, metafile } = await build({
    stdin: { contents, resolveDir: fileURLToPath(new URL('.', import.meta.url)) },
    bundle: true,
    minify: true,
    format: 'esm',
    write: false,
    metafile: true,
    ...options,
  });
  const [{ imports = [] } = {}] = Object.values(metafile.outputs);
  return { text: outputFiles[0]?.text ?? '', imports };
};

t.test('client.js: the whole module in one answer, for any origin', async t => {
  const { status, headers, text } = await get('/client.js');
  t.equal(status, 200);
  t.match(headers, {
    'content-type': /^text\/javascript/,
    'x-content-type-options': 'nosniff',
    'cache-control': 'no-cache',
    'access-control-allow-origin': origin,
    'x-typescript-types': './client.d.ts',
    etag: /^"[\w-]+"$/,
  });
  t.same((await bundled(text, { external: ['*'] })).imports, []);
  for (const name of ['createClient', 'startScan', 'PlatenError', 'diagnose'])
    t.match(text, new RegExp(`\\b${name}\\b`));
});

t.test('client.js: unchanged, 304 without a body', async t => {
  const { etag = '', ...first } = (await get('/client.js')).headers;
  const again = await get('/client.js', { 'if-none-match': `"other", W/${etag}` });
  t.equal(again.status, 304);
  t.equal(again.text, '');
  t.match(again.headers, { etag, 'cache-control': first['cache-control'], 'access-control-allow-origin': origin });
  t.equal((await get('/client.js', { 'if-none-match': '"other"' })).status, 200);
  const head = await fixture.request('HEAD', '/client.js');
  t.same([head.status, head.headers.etag, head.text], [200, etag, '']);
});

t.test('pages: every file has its own tag; unchanged, 304 under the same policy', async t => {
  const tags = new Set<string>();
  for (const path of [
    '/app/',
    '/app/main.js',
    '/app/layout.css',
    '/app/base.css',
    '/app/icon.svg',
    '/reference/page.js',
  ]) {
    const { status, headers } = await get(path);
    t.equal(status, 200, path);
    const { etag = '', 'content-security-policy': policy } = headers;
    tags.add(etag);
    const again = await get(path, { 'if-none-match': etag });
    t.same([again.status, again.text, again.headers['content-security-policy']], [304, '', policy], path);
  }
  t.equal(tags.size, 6);
});

for (const { entry, inside, absent } of [
  {
    entry: '/client.d.ts',
    inside: ['/client/shapes.d.ts', '/client/scans/scanPage.d.ts'],
    absent: ['/client/index.js', '/client/transport/events.test.d.ts', '/client/', '/client/../package.json'],
  },
  {
    entry: '/component.d.ts',
    inside: ['/component/element.d.ts', '/component/frameworks.d.ts', '/client/shapes.d.ts'],
    absent: ['/component/scanDialog.d.ts', '/component/element.js', '/component/words/', '/component/words/de.d.ts'],
  },
]) {
  t.test(`${entry}: every type that it names, and nothing else of the package`, async t => {
    const seen = new Set<string>();
    const visit = async (path: string): Promise<void> => {
      if (seen.has(path)) return;
      seen.add(path);
      const { status, headers, text } = await get(path);
      t.equal(status, 200, path);
      t.match(headers, { 'content-type': /^application\/typescript/, 'access-control-allow-origin': origin });
      for (const [, specifier = ''] of text.matchAll(/(?:from|import) ?\(?'(\.[^']+)'/g))
        await visit(new URL(specifier.replace(/\.js$/, '.d.ts'), `https://localhost${path}`).pathname);
    };
    await visit(entry);
    for (const path of inside) t.ok(seen.has(path), path);
    for (const path of absent) t.equal((await get(path)).status, 404, path);
  });
}

t.test('component.js: names its types', async t => {
  t.match((await get('/component.js')).headers, { 'x-typescript-types': './component.d.ts' });
});

t.test(
  '@platen/client/component: imported by a server that renders pages, it defines nothing and throws nothing',
  async t => {
    for (const name of ['document', 'HTMLElement', 'customElements']) t.notOk(name in globalThis, name);
    const { PlatenScan } = await import('@platen/client/component');
    t.ok(PlatenScan.languages.includes('en'));
  },
);

t.test('@platen/client: an application that uses a part bundles that part', async t => {
  const { text, imports } = await bundled("import { PlatenError } from '@platen/client'; export default PlatenError;");
  t.same(imports, []);
  t.ok(text.length < 2000, `${text.length} bytes`);
  const whole = await bundled("export * from '@platen/client';");
  t.ok(whole.text.length > 10_000, `${whole.text.length} bytes`);
});

t.test('@platen/client: a file called client.js of an application calls the standard address', async t => {
  const { text } = await bundled("export { createClient } from '@platen/client';", {
    define: { 'import.meta.url': '"https://app.example/client.js"' },
  });
  const { createClient } = (await import(`data:text/javascript,${encodeURIComponent(text)}`)) as typeof client;
  t.equal(createClient().baseUrl, 'https://localhost:53052');
});
