/** Where a sheet lies on the page that is scanned: geometry only. */
import { millimetres } from '@platen/core/driver';
import { pixelsAt, type Area, type ScanOrder, type Source } from '@platen/core/plugin';

export const MM_PER_INCH = 25.4;

/** Scan areas, in inches. */
export const areas = {
  Legal: { width: 8.5, height: 14 },
  A3: { width: millimetres.A3.width / MM_PER_INCH, height: millimetres.A3.height / MM_PER_INCH },
} as const;

/** Written by programs that do not know the density. */
const SCREEN_DENSITIES: readonly number[] = [72, 96];
/** A higher density is a mistake in the file. */
const MAX_DENSITY = 4800;
/** Without a density, a sheet is stretched to the page when its shape differs from the page's by no more than this. */
const STRETCH = 1.25;
/** In inches: a sheet whose size differs from the page's by less has that size, rounded to whole pixels in the file. */
const SNAP = 0.02;

interface Size {
  readonly width: number;
  readonly height: number;
}

/** Pixels of the upright image, and pixels per inch where the file says so. */
export interface ImageSize extends Size {
  readonly density?: number | undefined;
}

/** In pixels of the page. `left` and `top` are negative where the sheet begins before the page. */
export interface Layout {
  readonly page: Size;
  readonly sheet: Size;
  readonly left: number;
  readonly top: number;
}

/** Lays an image on the page: by its physical size where that is known, else filling the page. */
export function layOut(
  image: ImageSize,
  order: Pick<ScanOrder, 'resolution' | 'pageSize' | 'area'>,
  source: Source,
  area: Size = areas.Legal,
): Layout {
  const dpi = order.resolution;
  const density = believed(image, area);
  if (order.area) return cutOut(order.area, detected(image, density, dpi, area), dpi);
  if (order.pageSize === 'Auto') return detected(image, density, dpi, area);
  const size = millimetres[order.pageSize];
  const page = { width: pixels(size.width / MM_PER_INCH, dpi), height: pixels(size.height / MM_PER_INCH, dpi) };
  if (density === undefined) return filling(image, page);
  const sheet =
    density === dpi
      ? { width: image.width, height: image.height }
      : {
          width: snapped(pixels(image.width / density, dpi), page.width, dpi),
          height: snapped(pixels(image.height / density, dpi), page.height, dpi),
        };
  return { page, sheet, left: source === 'feeder' ? Math.round((page.width - sheet.width) / 2) : 0, top: 0 };
}

/** A page cropped to the sheet, as by a scanner that detects its edges. */
function detected(image: ImageSize, density: number | undefined, dpi: number, area: Size): Layout {
  const most = { width: pixels(area.width, dpi), height: pixels(area.height, dpi) };
  const scale = density === undefined ? Math.min(most.width / image.width, most.height / image.height) : dpi / density;
  const sheet = { width: rounded(image.width * scale), height: rounded(image.height * scale) };
  const page = { width: Math.min(sheet.width, most.width), height: Math.min(sheet.height, most.height) };
  return { page, sheet, left: Math.round((page.width - sheet.width) / 2), top: 0 };
}

/** A part of the page that is cropped to the sheet, with what lies beside it. */
function cutOut(asked: Area, { sheet, left, top }: Layout, dpi: number): Layout {
  const offset = (mm: number) => Math.round((mm / MM_PER_INCH) * dpi);
  const page = { width: pixelsAt(dpi, asked.width), height: pixelsAt(dpi, asked.height) };
  return { page, sheet, left: left - offset(asked.x), top: top - offset(asked.y) };
}

function filling(image: Size, page: Size): Layout {
  const shape = image.width / image.height / (page.width / page.height);
  if (Math.max(shape, 1 / shape) <= STRETCH) return { page, sheet: page, left: 0, top: 0 };
  const scale = Math.min(page.width / image.width, page.height / image.height);
  const sheet = { width: rounded(image.width * scale), height: rounded(image.height * scale) };
  return {
    page,
    sheet,
    left: Math.floor((page.width - sheet.width) / 2),
    top: Math.floor((page.height - sheet.height) / 2),
  };
}

/** The density of the file, unless the sheet would be too large for the scanner. */
function believed({ width, height, density }: ImageSize, area: Size): number | undefined {
  if (density === undefined || !(density > 0) || density > MAX_DENSITY) return undefined;
  const factor = SCREEN_DENSITIES.includes(density) ? 1 : 2;
  const fits = width / density <= area.width * factor && height / density <= area.height * factor;
  return fits ? density : undefined;
}

const pixels = (inches: number, dpi: number) => rounded(inches * dpi);
const rounded = (value: number) => Math.max(1, Math.round(value));
const snapped = (sheet: number, page: number, dpi: number) =>
  Math.abs(sheet - page) <= Math.max(2, SNAP * dpi) ? page : sheet;
