/** Guides: their code works. Pages in Chromium, the script in Node, the component by the compiler, the configuration by the service. */
import { execFile } from 'node:child_process';
import { once } from 'node:events';
import { readdirSync, readFileSync } from 'node:fs';
import { readdir } from 'node:fs/promises';
import { createServer, type AddressInfo } from 'node:net';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { needs } from '@platen/conformance';
import t from 'tap';
import { until } from '../spec/calls.js';
import { start } from '../spec/specTest.js';
import { platen } from '../topology/platen.js';
import { sheets } from '../topology/sheets.js';
import { virtualTopology } from '../topology/virtualTopology.js';
import { handsIn, SCAN, untilDone, untilScanned } from './componentKit.js';
import { openPage } from './foreignPage.js';

const run = promisify(execFile);
const clone = fileURLToPath(new URL('../../..', import.meta.url));
const read = (path: string): string => readFileSync(join(clone, path), 'utf8');

/** The first code block of a language that contains this text, without its indent. */
function block(page: string, language: string, sign: string): string {
  const found = [...read(page).matchAll(new RegExp(`( *)\`\`\`${language}\n([\\s\\S]*?)\`\`\``, 'g'))].find(
    ([, , code]) => code?.includes(sign),
  );
  if (!found) throw new Error(`${page} has no block of ${language} with ${sign}`);
  return (found[2] ?? '').replaceAll(new RegExp(`^${found[1]}`, 'gm'), '');
}

const recognisers = ['@platen/document-pdf', '@platen/patch-codes', '@platen/blank-pages'];
const fixture = await start(t, virtualTopology, { recognisers });

for (const guide of ['docs/client.md', 'clients/web/README.md']) {
  t.test(`${guide}: the page scans and shows errors`, async t => {
    if (!needs(t, 'chromium')) return;
    const html = block(guide, 'html', 'client.js')
      .replaceAll('https://localhost:53052', fixture.url)
      .replaceAll('Feeder A', fixture.name('jamming'));
    const { page, problems } = await openPage(t, { html: `<link rel="icon" href="data:,">${html}` });
    await fixture.load('jamming', sheets(1));
    await page.click('button');
    await page.waitForFunction(
      'document.images.length === 1 && document.images[0].complete && document.images[0].naturalWidth > 0',
    );
    await until(async () => (await readdir(join(fixture.dataDir, 'scans'))).length === 0);
    t.same(problems, []);
    await fixture.load('jamming', sheets(1, 2));
    await page.click('button');
    await page.waitForFunction('document.querySelector("output").textContent !== ""');
    t.match(await page.textContent('output'), /Sheet 2 jammed in the feeder\./);
    t.equal(await page.evaluate('document.images.length'), 2);
    await page.evaluate(`import('${fixture.url}/client.js').then(async ({ listScans }) => {
      for (const scan of await listScans()) await scan.done();
    })`);
  });
}

t.test('docs/client.md: continues after a jam, and finds the scans that are waiting after a reload', async t => {
  if (!needs(t, 'chromium')) return;
  const code = [block('docs/client.md', 'js', 'scan.continue()'), block('docs/client.md', 'js', 'listScans()')];
  const html = `<link rel="icon" href="data:,"><script type="module">
    import { startScan, listScans } from '${fixture.url}/client.js';
    const show = async page => document.body.append(\`\${page.number}: \${(await page.blob()).type} \`);
    ${code[0]}
    window.begin = async () => fetchAll(await startScan('${fixture.name('jamming')}', { resolution: 75 }));
    window.resume = async () => { ${code[1]} };
    window.ready = true;
  </script>`;
  const { page } = await openPage(t, { html });
  let asked = 0;
  page.on('dialog', dialog => {
    asked++;
    // Sheet 2 of every scan jams.
    void fixture.load('jamming', sheets(2)).then(() => (asked === 2 ? dialog.dismiss() : dialog.accept()));
  });
  await page.waitForFunction('window.ready');
  await fixture.load('jamming', sheets(1, 2));
  await page.evaluate('begin()');
  t.equal((await page.textContent('body'))?.trim(), '1: image/png 2: image/png');
  await fixture.load('jamming', sheets(1, 2));
  await t.rejects(page.evaluate('begin()'), /Sheet 2 jammed/);
  await page.reload();
  await page.waitForFunction('window.ready');
  await page.evaluate('resume()');
  t.equal((await page.textContent('body'))?.trim(), '1: image/png 2: image/png');
  t.equal(asked, 3);
});

t.test('docs/client.md: one PDF, other pages of it, and several documents from a stack', async t => {
  if (!needs(t, 'chromium')) return;
  const code = ["scan.document('pdf', { title", 'pages: [3, 1, 2]', "separate: { by: 'patch' }"].map(sign =>
    block('docs/client.md', 'js', sign)
      .replaceAll('Feeder A', fixture.name('duplex'))
      .replace('const pdf', 'globalThis.pdf'),
  );
  const html = `<link rel="icon" href="data:,"><script type="module">
    import { startScan } from '${fixture.url}/client.js';
    const show = async page => void (await page.blob());
    window.whole = async () => { ${code[0]?.replace('await scan.done();', 'globalThis.scan = scan;')} };
    window.some = async () => { ${code[1]} await scan.done(); };
    window.several = async () => { ${code[2]} };
    window.ready = true;
  </script>`;
  const { page, problems } = await openPage(t, { html });
  await page.waitForFunction('window.ready');
  await fixture.load('duplex', sheets(1, 2, 3));
  const isPdf = `pdf.text().then(text => pdf.type === 'application/pdf' && text.startsWith('%PDF-'))`;
  for (const step of ['whole()', 'some()']) {
    await page.evaluate(step);
    t.equal(await page.evaluate(isPdf), true, step);
  }
  await fixture.load('duplex', sheets(1, 2));
  const [download] = await Promise.all([page.waitForEvent('download'), page.evaluate('several()')]);
  t.equal(download.suggestedFilename(), 'Document 1.pdf');
  t.equal(readFileSync(await download.path(), 'latin1').slice(0, 5), '%PDF-');
  t.same(problems, []);
});

t.test('docs/component.md: the form gets a PDF, under the policy that it names', async t => {
  if (!needs(t, 'chromium')) return;
  const here = (text: string): string => text.replaceAll('https://localhost:53052', fixture.url);
  const policy = here(block('docs/component.md', 'text', 'trusted-types')).replaceAll('\n', ' ');
  const { page, problems, posted } = await openPage(t, {
    html: here(block('docs/component.md', 'html', 'component.js')),
    headers: { 'content-security-policy': policy },
  });
  const hands = handsIn(page);
  await fixture.load('duplex', sheets(1, 2));
  await hands.click(`input[aria-label="${fixture.name('duplex')}"]`);
  await hands.until(`${SCAN}.chosenScanner?.name === '${fixture.name('duplex')}'`);
  await hands.click('#scan:enabled');
  await untilScanned(hands, 2);
  await hands.click('#done');
  await untilDone(hands);
  await hands.click('form > button');
  const file = (await posted('/documents')).get('document');
  t.match(file instanceof File && file.name, /^scan-\d{8}-\d{4}\.pdf$/);
  t.same(problems, []);
});

t.test('docs/component.md: without the service, the form says what to install; with it, it does not', async t => {
  if (!needs(t, 'chromium')) return;
  const sample = block('docs/component.md', 'html', 'component.js');
  const nowhere = createServer().listen(0, '127.0.0.1');
  await once(nowhere, 'listening');
  const { port } = nowhere.address() as AddressInfo;
  nowhere.close();
  const absent = await openPage(t, { html: sample.replaceAll('https://localhost:53052', `https://127.0.0.1:${port}`) });
  const link = absent.page.getByRole('link', { name: 'install the scanning service' });
  await link.waitFor();
  t.equal(await absent.page.evaluate(`customElements.get('platen-scan') === undefined`), true);
  const { page } = await openPage(t, { html: sample.replaceAll('https://localhost:53052', fixture.url) });
  await page.locator('#scan').waitFor();
  t.equal(await page.getByRole('link', { name: 'install the scanning service' }).isVisible(), false);
});

t.test('docs/component.md: every attribute, part, slot and custom property, and no other', async t => {
  const guide = read('docs/component.md');
  const source = ['views', 'views/strip', 'views/viewer', 'pieces', 'styles', '.'].flatMap(folder => {
    const path = join('clients/web/src/component', folder);
    return readdirSync(join(clone, path), { withFileTypes: true })
      .filter(entry => entry.isFile() && !entry.name.includes('.test.'))
      .map(entry => read(join(path, entry.name)));
  });
  const found = (pattern: RegExp): string[] =>
    [...new Set(source.flatMap(text => [...text.matchAll(pattern)].map(([, name = '']) => name)))].sort();
  const said = (text = '', pattern = /`([a-z-]+)`/g): string[] =>
    [...text.matchAll(pattern)].map(([, name = '']) => name).sort();
  const observed = /observedAttributes = \[([^\]]*)\]/.exec(source.join('\n'))?.[1];
  const attributes = new Set([...said(observed, /'([a-z]+)'/g), ...found(/\battribute\('([a-z]+)'\)/g)]);
  t.same(said(/## Attributes([\s\S]*?)##/.exec(guide)?.[1], /^\| `([a-z]+)` \|/gm), [...attributes].sort());
  t.same(said(/^Parts, for `[^`]*`: ([\s\S]*?)\n\n/m.exec(guide)?.[1]), found(/(?:part="|  part: ')([a-z-]+)/g));
  t.same(
    said(/^Slots, for ([^\n]*)/m.exec(guide)?.[1]),
    found(/slot name="([a-z-]+)"/g).filter(name => name !== 'tray'),
  );
  t.same(said(guide, /`(--platen-[a-z-]+)`/g), found(/var\((--platen-[a-z-]+)/g));
});

t.test('clients/web/README.md: the Node script, trusts only the certificate and scans', async t => {
  const folder = t.testdir({ 'scan.mjs': block('clients/web/README.md', 'js', 'process.env.PLATEN_URL') });
  await fixture.load('duplex', sheets(1, 2));
  const env = {
    ...process.env,
    NODE_EXTRA_CA_CERTS: join(fixture.dataDir, 'certificate', 'trusted.pem'),
    PLATEN_URL: fixture.url,
    NODE_OPTIONS: '',
  };
  const { stdout } = await run(process.execPath, ['scan.mjs'], { cwd: folder, env });
  t.equal(stdout, 'Scanned 2 pages.\n');
  t.same(readdirSync(folder).sort(), ['page-1.jpg', 'page-2.jpg', 'scan.mjs']);
  t.equal(readFileSync(join(folder, 'page-2.jpg')).subarray(0, 3).toString('hex'), 'ffd8ff');
});

/** The part of React's types that the component uses. */
const react = `
  declare module 'react' {
    export function useState<S>(): [S | undefined, (next: S | undefined | ((before: S) => S)) => void];
    export function useState<S>(first: S): [S, (next: S | ((before: S) => S)) => void];
    export function useEffect(effect: () => void | (() => void), on?: readonly unknown[]): void;
  }
  declare module 'react/jsx-runtime' {
    export namespace JSX {
      interface Element { readonly type: unknown }
      interface IntrinsicAttributes { key?: string | number }
      interface IntrinsicElements { p: { role?: string; children?: unknown }; img: { src?: string | undefined; width?: number; alt?: string } }
    }
    export const jsx: unknown, jsxs: unknown, Fragment: unknown;
  }`;

t.test('clients/web/README.md: the React component, compiles', async t => {
  const folder = t.testdir({
    'inbox.tsx': block('clients/web/README.md', 'tsx', 'export function Inbox'),
    'react.d.ts': react,
    'tsconfig.json': JSON.stringify({
      compilerOptions: {
        strict: true,
        noEmit: true,
        jsx: 'react-jsx',
        target: 'ES2022',
        module: 'ESNext',
        moduleResolution: 'Bundler',
        lib: ['ES2022', 'DOM', 'DOM.Iterable'],
        types: [],
      },
    }),
  });
  const tsc = join(clone, 'node_modules', 'typescript', 'bin', 'tsc');
  t.equal(
    await run(process.execPath, [tsc, '-p', folder]).then(
      () => '',
      (error: { stdout: string }) => error.stdout,
    ),
    '',
  );
});

t.test('deployment guide: its configuration, loads', async t => {
  const guide = 'docs/deployment.md';
  const folder = t.testdir({
    'platen.json': '{ "extends": "shipped" }',
    'origins.json': block(guide, 'json', '"grants"'),
    'conf.d': {
      '10-origins.json': block(guide, 'json', '"security"'),
      '20-front-desk.json': block(guide, 'json', '"plugins"'),
    },
  });
  const { code, log } = await platen(['plugins', 'list', '--config', join(folder, 'platen.json'), '--json'], {
    env: { PLATEN_DATA_DIR: join(folder, 'data') },
  }).ended;
  t.equal(code, 0, log);
  const listed = await platen(['origins', 'list', '--config', join(folder, 'platen.json'), '--json'], {
    env: { PLATEN_DATA_DIR: join(folder, 'data') },
  }).ended;
  t.match(JSON.parse(listed.out), { mode: 'ask', grants: [{ origin: 'https://records.example.com', by: 'file' }] });
});

t.test('clients/web/README.md: the codes that a page meets, and every problem that is found', async t => {
  const guide = read('clients/web/README.md');
  /** In the first column of the table under a heading. */
  const rows = (heading: string): string[] =>
    [...(guide.split(`\n${heading}\n`)[1]?.split('\n## ')[0] ?? '').matchAll(/^\| (`[^|]*`) \|/gm)]
      .flatMap(([, codes = '']) => [...codes.matchAll(/`([a-z-]+)`/g)].map(([, code = '']) => code))
      .filter(code => code !== 'problem')
      .sort();
  /** The strings that a type of the source is. */
  const codesOf = (file: string, type: string): string[] => {
    const [, its = ''] = new RegExp(`type ${type} =([^;]*);`).exec(read(`clients/web/src/client/${file}`)) ?? [];
    return [...its.matchAll(/'([a-z-]+)'/g)].map(([, code = '']) => code);
  };
  const types = ['ClientCode', 'DriverCode', 'ServiceCode', 'EndCode'].map(type => codesOf('errors.ts', type));
  t.ok(types.every(({ length }) => length > 1));
  const met = new Set(rows('## Errors'));
  t.same(
    types.flat().filter(code => !met.has(code)),
    [],
  );
  const all = new Set([...types.flat(), ...codesOf('errors.ts', 'HttpCode')]);
  t.same(
    [...met].filter(code => !all.has(code)),
    [],
  );
  const problems = codesOf('diagnosis/findings.ts', 'DiagnosisCode').sort();
  t.ok(problems.length > 1);
  t.same(rows('## When it does not work'), problems);
});
