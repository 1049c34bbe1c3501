/** readPage: a page's bytes in all of SANE's layouts. */
import t from 'tap';
import { deviceWith } from './backends.test.kit.js';
import type { Handle, Parameters, ReadHow } from './handle.js';
import { readPage as readFrom } from './page.js';

const gray: Parameters = { format: 'gray', bytesPerLine: 4, pixelsPerLine: 4, lines: 3, depth: 8 };

interface Told {
  how?: ReadHow;
  cancelled: boolean;
}

/** A device that was started, with a page of this description in these bands. @param end a status instead of the end */
function started(
  parameters: Partial<Parameters>,
  bands: readonly number[][] = [],
  end?: string,
): { handle: Handle; told: Told } {
  const told: Told = { cancelled: false };
  const handle: Handle = {
    ...deviceWith([], { parameters: { ...gray, ...parameters } }).handle,
    async read(how) {
      told.how = how;
      for (const band of bands) {
        if (told.cancelled) throw Object.assign(new Error('cancelled'), { status: 'CANCELLED' });
        const data = how.place?.({}, band.length) ?? new Uint8Array(band.length);
        data.set(band);
        how.onBand(data);
      }
      if (end !== undefined) throw Object.assign(new Error(end), { status: end });
    },
    cancel: async () => void (told.cancelled = true),
  };
  return { handle, told };
}

const most = 1_000_000;
const readPage = (handle: Handle, maxPixels: number) => readFrom(handle, { maxPixels, source: 'feeder' });
const row = (...values: number[]) => values;

t.test('readPage: grey, bands that end anywhere', async t => {
  const { handle, told } = started({}, [
    [1, 2, 3],
    [4, 5, 6, 7, 8, 9],
    [10, 11, 12],
  ]);
  const { data, ...page } = await readPage(handle, most);
  t.strictSame(page, { width: 4, height: 3, pixels: 'gray8', stride: 4 });
  t.strictSame([...data], [1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12]);
  t.match(told.how, { threePass: false, high: false });
});

t.test('readPage: colour, 1 bit, 16 bits, three passes', async t => {
  t.match(await readPage(started({ format: 'rgb', bytesPerLine: 12 }, [row(...Array(36).keys())]).handle, most), {
    pixels: 'rgb24',
    stride: 12,
  });
  t.match(await readPage(started({ depth: 1, bytesPerLine: 1, pixelsPerLine: 5 }, [[1, 2, 3]]).handle, most), {
    pixels: 'bw1',
    stride: 1,
    width: 5,
  });
  const wide = started({ depth: 16, bytesPerLine: 8 }, [row(...Array(12).keys())]);
  t.match(await readPage(wide.handle, most), { pixels: 'gray8', stride: 4, height: 3 });
  t.match(wide.told.how, { high: true }, 'the helper keeps the high bytes');
  const passes = started({ format: 'green' }, [row(...Array(36).keys())]);
  t.match(await readPage(passes.handle, most), { pixels: 'rgb24', stride: 12, height: 3 });
  t.match(passes.told.how, { threePass: true }, 'the helper merges them');
});

t.test('readPage: padded lines, the stride', async t => {
  t.match(await readPage(started({ bytesPerLine: 7 }, [row(...Array(21).keys())]).handle, most), {
    width: 4,
    stride: 7,
    height: 3,
  });
});

t.test('readPage: a page that ends early within a line, rejected; near its end, only its whole lines', async t => {
  const torn = started({}, [[1, 2, 3, 4, 5, 6]]);
  await t.rejects(readPage(torn.handle, most), { code: 'driver-failed', message: /1 of 3/ });
  const nearly = started({ lines: 100 }, [Array<number>(98 * 4 + 2).fill(1)]);
  const { data, height } = await readPage(nearly.handle, most);
  t.equal(height, 98);
  t.equal(data.length, 98 * 4);
  await t.rejects(readPage(started({}, [[1, 2]]).handle, most), {
    code: 'driver-failed',
    message: /before its first row/,
  });
});

t.test('readPage: a flatbed page that ends early, rejected; one or two lines may be missing', async t => {
  const rows = (count: number): number[][] => Array.from({ length: count }, () => [1, 2, 3, 4]);
  await t.rejects(readFrom(started({ lines: 100 }, rows(90)).handle, { maxPixels: most, source: 'flatbed' }), {
    code: 'driver-failed',
    message: /90 of 100/,
  });
  t.match(await readFrom(started({ lines: 100 }, rows(98)).handle, { maxPixels: most, source: 'flatbed' }), {
    height: 98,
  });
  t.match(
    await readFrom(started({ lines: -1 }, rows(90)).handle, { maxPixels: most, source: 'flatbed' }),
    { height: 90 },
    'no height was announced',
  );
  t.match(
    await readFrom(started({ lines: 100 }, rows(90)).handle, { maxPixels: most, source: 'feeder' }),
    { height: 90 },
    'a short sheet',
  );
});

t.test('readPage: a page that is interrupted, its error', async t => {
  await t.rejects(readPage(started({}, [[1, 2, 3, 4]], 'JAMMED').handle, most), { message: 'JAMMED' });
  await t.rejects(
    readPage(started({}, [[1, 2, 3, 4]], 'NO_DOCS').handle, most),
    { code: 'driver-failed' },
    'no paper in the middle of a page',
  );
  await t.rejects(readPage(started({}, [], 'NO_DOCS').handle, most), { message: 'NO_DOCS' }, 'no paper before a page');
});

t.test('readPage: an area, the page is cut to its size; below a sheet that ended it is white', async t => {
  const rows = [row(...Array(12).keys())];
  const cut = (width: number, height: number, source: 'feeder' | 'flatbed' = 'feeder') =>
    readFrom(started({}, rows).handle, { maxPixels: most, source, cut: { width, height } });
  const { data, ...page } = await cut(3, 2);
  t.strictSame(page, { width: 3, height: 2, pixels: 'gray8', stride: 4 });
  t.strictSame([...data], [0, 1, 2, 3, 4, 5, 6, 7]);
  const longer = await cut(9, 5);
  t.match(longer, { width: 4, height: 5, stride: 4 });
  t.strictSame([...longer.data], [...Array(12).keys(), ...Array<number>(8).fill(255)]);
  t.match(await cut(9, 9, 'flatbed'), { width: 4, height: 3 });
});

t.test('readPage: bytes beyond the announced end, dropped', async t => {
  const { data, height } = await readPage(
    started({}, [[1, 2, 3, 4, 5, 6, 7, 8, 9, 10], [11, 12, 13, 14], [15]]).handle,
    most,
  );
  t.equal(height, 3);
  t.strictSame([...data], [1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12]);
});

t.test('readPage: an unknown height', async t => {
  const { told, handle } = started({ lines: -1 }, [
    [1, 2, 3],
    [4, 5, 6, 7, 8, 9],
  ]);
  const { data, height } = await readPage(handle, most);
  t.equal(height, 2);
  t.strictSame([...data], [1, 2, 3, 4, 5, 6, 7, 8]);
  t.equal(told.how?.place, undefined);
});

t.test('readPage: over maxPixels, rejected before it is allocated or read', async t => {
  const { handle, told } = started({ lines: 1_000_000_000 });
  await t.rejects(readPage(handle, most), { code: 'unsupported', message: /4 x 1000000000/ });
  t.equal(told.how, undefined);
});

t.test('readPage: an endless page, cancelled over maxPixels', async t => {
  const { handle, told } = started(
    { lines: -1 },
    Array.from({ length: 100 }, () => [1, 2, 3, 4]),
  );
  await t.rejects(readPage(handle, 20), {
    code: 'unsupported',
    message: /4 x 6 = 24 pixels, more than the 20 allowed/,
  });
  t.ok(told.cancelled);
});

t.test('readPage: unknown formats and impossible lines, rejected', async t => {
  for (const strange of [{ format: 'unknown-11' }, { depth: 12 }, { format: 'rgb', depth: 1 }]) {
    await t.rejects(readPage(started(strange).handle, most), { code: 'unsupported' }, JSON.stringify(strange));
  }
  for (const wrong of [
    { bytesPerLine: 3 },
    { pixelsPerLine: 0 },
    { bytesPerLine: 10_000_000 },
    { depth: 16, bytesPerLine: 9 },
  ]) {
    await t.rejects(readPage(started(wrong).handle, most), { code: 'driver-failed' }, JSON.stringify(wrong));
  }
});
