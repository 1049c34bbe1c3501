/** A filled-in form, drawn: for the suite and the tests, not packed. */
import type { RawPage } from '@platen/core/plugin';
import type { Box } from './ticks.js';

const DPI = 254; // 10 pixels are a millimetre

export const boxes: readonly Box[] = [
  { name: 'yes', x: 10, y: 10, width: 4, height: 4 },
  { name: 'no', x: 20, y: 10, width: 4, height: 4 },
];

/** White, with crosses in the boxes of these names. Yours: a page that your recogniser reads; best, a scanned one. */
export function formWith(ticked: readonly string[]): RawPage {
  const [width, height] = [300, 240];
  const data = new Uint8Array(width * height).fill(255);
  for (const box of boxes.filter(({ name }) => ticked.includes(name))) {
    const size = box.width * 10;
    for (let i = 0; i < size; i++) {
      const row = (box.y * 10 + i) * width + box.x * 10;
      data.fill(0, row + Math.max(0, i - 1), row + Math.min(size, i + 2));
      data.fill(0, row + Math.max(0, size - i - 2), row + Math.min(size, size - i + 1));
    }
  }
  const size = { width, height, stride: width, dpi: DPI };
  return { kind: 'raw', sheet: 1, side: 'front', pixels: 'gray8', ...size, data };
}
