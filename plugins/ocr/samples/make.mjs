/**
 * Draws the pages of the tests and benchmarks again: `node plugins/ocr/samples/make.mjs`.
 * Needs `chromium` (or the path of one in CHROMIUM) with the Liberation fonts. Each page shows the text beside it, line by line.
 */
import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import sharp from 'sharp';

const DPI = 300;
const work = mkdtempSync(join(tmpdir(), 'ocr-samples-'));
const here = name => fileURLToPath(new URL(name, import.meta.url));
const escaped = text => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;');

/** @param style of the text; a CSS pixel is a pixel of the page */
async function draw(name, { width, height }, style) {
  const paragraphs = readFileSync(here(`${name}.txt`), 'utf8').trim().split('\n\n');
  const body = paragraphs.map(each => `<p>${escaped(each).replaceAll('\n', '<br>')}</p>`).join('');
  const [page, shot] = [join(work, 'page.html'), join(work, 'page.png')];
  const rules = `* { box-sizing: border-box; margin: 0 } html, body { width: ${width}px; height: ${height}px; background: #fff; color: #111; overflow: hidden } p { white-space: nowrap; margin-bottom: 1.1em } body { ${style} }`;
  writeFileSync(page, `<!doctype html><meta charset="utf-8"><style>${rules}</style>${body}`);
  const flags = ['--headless=new', '--no-sandbox', '--disable-gpu', '--disable-lcd-text', '--font-render-hinting=none', `--user-data-dir=${join(work, 'profile')}`];
  const size = ['--hide-scrollbars', '--force-device-scale-factor=1', `--window-size=${width},${height}`, `--screenshot=${shot}`];
  execFileSync(process.env.CHROMIUM ?? 'chromium', [...flags, ...size, page], { stdio: 'ignore', timeout: 60_000 });
  const file = here(`${name}.png`);
  await sharp(shot).flatten().grayscale().withDensity(DPI).png({ palette: true, colours: 4, dither: 0, compressionLevel: 9, effort: 10 }).toFile(file);
  console.log(`${name}.png: ${width} x ${height}, ${statSync(file).size} bytes`);
}

try {
  // A4: twelve points, as letters are written.
  await draw('report', { width: 2480, height: 3508 }, "padding: 240px 220px; font: 46px/62px 'Liberation Serif'");
  await draw('note', { width: 1200, height: 760 }, "padding: 90px 80px; font: 42px/58px 'Liberation Sans'");
} finally {
  rmSync(work, { recursive: true, force: true });
}
