/** Printing of the scanning component: one page a sheet, and nothing of the page that it is in. */
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { fileURLToPath } from 'node:url';
import { needs } from '@platen/conformance';
import { build } from 'esbuild';
import type { Page } from 'playwright-core';
import sharp from 'sharp';
import t, { type Test } from 'tap';
import { canReadPdfs, inksOf, readPdf } from '../client/drawnPdf.js';
import { drawSide, type Ink } from '../topology/sheets.js';
import { until } from '../spec/calls.js';
import { launch } from './appPage.js';
import { problemsOf } from './chromium.js';

const source = new URL('src/component/output/print.ts', import.meta.resolve('@platen/client/package.json'));

/** Styles of a page that embeds the component, which spoil what is printed if they apply. */
const hostile = `
  html { padding: 2cm; overflow: hidden; height: 100vh; }
  body { display: flex !important; margin: 3cm; padding: 1cm; height: 100vh; columns: 2; transform: rotate(1deg); }
  body::before { content: 'Before'; display: block; height: 400px; }
  #application { display: block !important; height: 3000px; }
  div { padding: 1in; border: 1px solid; display: inline-block; }
  img { width: 20px !important; }`;
const html = `<!doctype html><html lang="en"><meta charset="utf-8"><title>Embedding page</title>
  <link rel="stylesheet" href="page.css"><script type="module" src="print.js"></script>
  <body><div id="application">Embedding page</div></body></html>`;

/** Pictures of pages, by their paths, turned as the service does it. */
const pictures = new Map<string, Uint8Array>();

/** @returns the address of a page that forbids styles and scripts of its own */
async function serve(t: Test): Promise<string> {
  const { outputFiles } = await build({
    stdin: {
      contents: `import { printPages } from ${JSON.stringify(fileURLToPath(source))}; Object.assign(globalThis, { printPages });`,
      resolveDir: '.',
    },
    bundle: true,
    format: 'esm',
    loader: { '.css': 'text' },
    write: false,
  });
  const files: Readonly<Record<string, readonly [string, string]>> = {
    '/': ['text/html', html],
    '/page.css': ['text/css', hostile],
    '/print.js': ['text/javascript', outputFiles[0]?.text ?? ''],
  };
  const server = createServer(({ url = '/' }, response) => {
    const { pathname, searchParams } = new URL(url, 'http://localhost');
    const picture = pictures.get(pathname);
    const turned = picture && sharp(picture).rotate(Number(searchParams.get('rotate')));
    if (turned) return void turned.toBuffer().then(bytes => response.setHeader('content-type', 'image/png').end(bytes));
    const [type, text] = files[pathname] ?? ['text/plain', ''];
    const policy = "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'";
    response
      .writeHead(files[pathname] ? 200 : 204, { 'content-type': type, 'content-security-policy': policy })
      .end(text);
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  t.teardown(() => server.close());
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
}

const printed = [
  { ink: 1, size: 'Letter', turn: 0 },
  { ink: 2, size: 'A4', turn: 0 },
  { ink: 3, size: 'Letter', turn: 90 },
  { ink: 4, size: 'A5', turn: 0 },
  { ink: 5, size: 'Letter', turn: 180 },
  { ink: 6, size: 'Legal', turn: 0 },
] as const;

const facts = { resolution: 75, mimeType: 'image/png' };

/** Begins to print them; the browser's dialog opens when the page's title says so. */
async function begin(
  page: Page,
  sheets: readonly { ink: Ink; size: 'Letter' | 'Legal' | 'A4' | 'A5'; turn: number }[],
) {
  const pages = await Promise.all(
    sheets.map(async ({ ink, size, turn }) => {
      const picture = await drawSide(ink, size);
      const { width, height } = await sharp(picture).metadata();
      const path = `/pages/${ink}-${size}`;
      pictures.set(path, picture);
      return { turn, page: { ...facts, width, height, file: { url: new URL(path, page.url()).href } } };
    }),
  );
  await page.evaluate(
    `globalThis.stop = new AbortController();
    document.title = 'Embedding page';
    globalThis.print = () => (document.title = 'The dialog');
    globalThis.printing = printPages(${JSON.stringify(pages)}, stop.signal).then(() => 'printed', error => error.constructor.name + ' ' + error.message);
    0`,
  );
}

const untilDialog = (page: Page): Promise<void> => until(async () => (await page.title()) === 'The dialog');
/** Elements of the page, and style sheets that are not its own. */
const left = (page: Page): Promise<unknown> =>
  page.evaluate(`[document.body.children.length, document.adoptedStyleSheets.length]`);

void t.test('printing: as many sheets as pages', async t => {
  if (!needs(t, 'chromium') || !canReadPdfs(t)) return;
  const url = await serve(t);
  const page = await (await launch(t)).newPage();
  const problems = problemsOf(page);
  await page.goto(url);

  await t.test('on A4 and Letter, with and without margins; in their order, nothing else', async t => {
    for (const format of ['A4', 'Letter'] as const)
      for (const margin of ['0', '10mm', '0.4in']) {
        await begin(page, printed);
        await untilDialog(page);
        t.same(await left(page), [2, 1]);
        const margins = { top: margin, right: margin, bottom: margin, left: margin };
        const pdf = await readPdf(await page.pdf({ format, margin: margins, printBackground: true }));
        t.same(inksOf(pdf), [1, 2, 3, 4, 5, 6], `${format}, margins ${margin}`);
        t.equal(pdf.text.trim(), '', 'no text of the page');
        if (margin === '0') t.same([pdf.pages[0]?.upright, pdf.pages[4]?.upright], [true, false], 'turned');
        // Chromium says that it is over.
        t.equal(await page.evaluate('printing'), 'printed');
        t.same(await left(page), [1, 0]);
      }
  });

  await t.test('on the screen, nothing of it shows', async t => {
    await begin(page, [{ ink: 1, size: 'A4', turn: 0 }]);
    await untilDialog(page);
    t.equal(await page.evaluate(`document.querySelector('[data-platen-print]').getClientRects().length`), 0);
    t.equal(await page.locator('#application').isVisible(), true);
    await page.evaluate(`stop.abort()`);
    t.match(await page.evaluate('printing'), /^DOMException /);
    t.same(await left(page), [1, 0]);
  });

  await t.test('a picture that cannot be loaded: an error, and no dialog', async t => {
    await page.evaluate(
      `document.title = 'Embedding page';
      globalThis.print = () => (document.title = 'The dialog');
      const file = { url: new URL('/pages/none', location.href).href };
      globalThis.printing = printPages([{ turn: 0, page: { ...${JSON.stringify(facts)}, file, width: 1, height: 1 } }], new AbortController().signal).catch(error => error.message);
      0`,
    );
    t.equal(await page.evaluate('printing'), 'A page could not be loaded.');
    t.equal(await page.title(), 'Embedding page');
    t.same(await left(page), [1, 0]);
  });
  t.same(problems, []);
});
