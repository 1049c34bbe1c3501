/** Draws barcodes as SVG whose modules are whole pixels, so that they decode from a 200 dpi page. */
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { prepareZXingModule, writeBarcode } from 'zxing-wasm/full';

const wasm = fileURLToPath(import.meta.resolve('zxing-wasm/full/zxing_full.wasm'));
prepareZXingModule({ overrides: { wasmBinary: readFileSync(wasm).buffer } });

/** @param {{ module?: number, height?: number, options?: string }} look in pixels; `height` for bars, PDF417 uses three modules a row */
export async function barcode(format, text, { module = 4, height = 120, options = '' } = {}) {
  const { symbol, error } = await writeBarcode(text, { format, scale: 1, addQuietZones: false, addHRT: false, options });
  if (error) throw new Error(`${format} ${text}: ${error}`);
  const linear = !['PDF417', 'QRCode', 'DataMatrix', 'Aztec'].includes(format);
  const rows = linear ? 1 : symbol.height;
  const row = linear ? height : module;
  const bars = [];
  for (let y = 0; y < rows; y++) {
    for (let x = 0, from = 0; x < symbol.width; x = from) {
      const dark = symbol.data[y * symbol.width + x] === 0;
      while (from < symbol.width && (symbol.data[y * symbol.width + from] === 0) === dark) from++;
      if (dark) bars.push(`M${x * module} ${y * row}h${(from - x) * module}v${row}h${(x - from) * module}z`);
    }
  }
  const size = `width="${symbol.width * module}" height="${rows * row}"`;
  return `<svg xmlns="http://www.w3.org/2000/svg" ${size} shape-rendering="crispEdges"><path d="${bars.join('')}"/></svg>`;
}
