/** What lies in the simulated feeder: white sheets with lines of grey. */
import { testFile } from '@platen/conformance';
import type { Settings } from '../device.js';

const made = new Map<string, Buffer>();

/** @returns a JPEG; the same sheet gives the same bytes */
export function sheetJpeg({ width, height, dpi, color }: Settings, sheet: number, side: 'front' | 'back'): Buffer {
  const key = [width, height, dpi, color, side].join();
  const before = made.get(key);
  if (before) return before;
  const stride = color === 'color' ? width * 3 : width;
  const data = Buffer.alloc(stride * height, 250);
  const line = Math.max(8, Math.round(dpi / 4));
  const [from, to] = side === 'front' ? [0.1, 0.9] : [0.1, 0.5];
  for (let y = line; y < height - line; y++) {
    if (Math.floor(y / line) % 3 === 0)
      data.fill(
        90,
        y * stride + Math.round(from * width) * (stride / width),
        y * stride + Math.round(to * width) * (stride / width),
      );
  }
  const pixels = color === 'color' ? 'rgb24' : 'gray8';
  const plain = testFile({ kind: 'raw', sheet, side, width, height, dpi, pixels, stride, data }, 'image/jpeg');
  const jpeg = Buffer.concat([plain.subarray(0, 2), ...comments(Math.round((width * height) / 8)), plain.subarray(2)]);
  made.set(key, jpeg);
  return jpeg;
}

/** Segments of a JPEG that nothing reads: they make it as large as the page of a real scanner. */
function comments(bytes: number): Buffer[] {
  const most = 65_000;
  return Array.from({ length: Math.ceil(bytes / most) }, (_, i) => {
    const body = Math.min(most, bytes - i * most);
    const segment = Buffer.alloc(4 + body);
    segment.writeUInt16BE(0xfffe, 0);
    segment.writeUInt16BE(2 + body, 2);
    return segment;
  });
}
