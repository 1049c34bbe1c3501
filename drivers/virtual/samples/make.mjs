/**
 * Draws the sample documents again: `node drivers/virtual/samples/make.mjs`.
 * Needs `chromium` (or the path of one in CHROMIUM) with the Liberation and Lato fonts.
 */
import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import sharp from 'sharp';
import { landscape } from './landscape.mjs';
import { delivery, invoice, letter, photo } from './pages.mjs';

const size = { width: 1700, height: 2200 };
const MOST_BYTES = 150_000;
const work = mkdtempSync(join(tmpdir(), 'samples-'));

function draw(html) {
  const [page, shot] = [join(work, 'page.html'), join(work, 'page.png')];
  writeFileSync(page, html);
  const window = ['--hide-scrollbars', '--force-device-scale-factor=1', `--window-size=${size.width},${size.height}`];
  const flags = ['--headless=new', '--no-sandbox', '--disable-gpu', '--disable-lcd-text', '--font-render-hinting=none', '--user-data-dir=' + join(work, 'profile')];
  execFileSync(process.env.CHROMIUM ?? 'chromium', [...flags, ...window, `--screenshot=${shot}`, page], { stdio: 'ignore', timeout: 60_000 });
  return sharp(shot).removeAlpha();
}

async function save(name, picture) {
  const file = fileURLToPath(new URL(name, import.meta.url));
  const { width, height } = await picture.withDensity(200).toFile(file);
  const bytes = statSync(file).size;
  console.log(`${name}: ${width} x ${height}, ${bytes} bytes`);
  if (width !== size.width || height !== size.height || bytes > MOST_BYTES) process.exitCode = 1;
}

const png = colours => ({ palette: true, colours, dither: 0, compressionLevel: 9, effort: 10 });
try {
  await save('letter.png', draw(letter()).png(png(24)));
  await save('invoice.png', draw(await invoice()).png(png(32)));
  await save('labels.png', draw(await delivery()).png(png(24)));
  const area = { width: 1360, height: 900 };
  const lake = await sharp(landscape(area.width, area.height), { raw: { ...area, channels: 3 } }).png().toBuffer();
  await save('photo.jpg', draw(photo(`data:image/png;base64,${lake.toString('base64')}`)).jpeg({ quality: 46, mozjpeg: true }));
} finally {
  rmSync(work, { recursive: true, force: true });
}
