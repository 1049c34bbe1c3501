/** The preview of the flatbed, on which the person draws the area to scan, and the request for it. */
import type { Area, Capabilities, DriverOption, ScannedPage, ScanParameters } from '../../client/shapes.js';
import type { Context } from '../context.js';
import type { AreaLimits } from './area/area.js';

const MM_PER_INCH = 25.4;

export interface PreviewParts {
  readonly context: Context;
  /** Scans the flatbed again. */
  onAgain(): void;
  /** @param area undefined: the whole page */
  onUse(area: Area | undefined): void;
}

/** What an open preview shows. */
export interface Previewed {
  readonly page: ScannedPage;
  /** Of the page's file, until the preview is closed. */
  readonly url: string;
  /** Of an area. */
  readonly limits: AreaLimits;
  /** What the picture shows. */
  readonly glass: AreaLimits;
  /** Undefined: the whole page. */
  readonly area: Area | undefined;
}

export interface Preview {
  readonly isOpen: boolean;
  readonly shown: Previewed | undefined;
  /**
   * @param page whole flatbed
   * @param limits of an area there, in mm
   * @param start undefined: the whole page
   */
  open(page: ScannedPage, limits: AreaLimits, start: Area | undefined): void;
  close(): void;
  /** @param area undefined: the whole page */
  setArea(area: Area | undefined): void;
  again(): void;
  use(): void;
}

export function createPreview({ context, onAgain, onUse }: PreviewParts): Preview {
  let shown: Previewed | undefined;
  function close(): void {
    if (!shown) return;
    URL.revokeObjectURL(shown.url);
    shown = undefined;
    context.changed();
  }
  return {
    get isOpen() {
      return shown !== undefined;
    },
    get shown() {
      return shown;
    },
    open(page, limits, start) {
      close();
      const mm = (pixels: number): number => (pixels / page.resolution) * MM_PER_INCH;
      const glass = { ...limits, width: mm(page.width), height: mm(page.height) };
      shown = { page, url: URL.createObjectURL(page.blob), limits, glass, area: start };
      context.changed();
    },
    close,
    setArea(area) {
      if (!shown) return;
      shown = { ...shown, area };
      context.changed();
    },
    again() {
      close();
      onAgain();
    },
    use() {
      if (!shown) return;
      const { area } = shown;
      close();
      onUse(area);
      context.announce(context.words(area ? 'preview.used' : 'preview.used.whole'));
    },
  };
}

/** Below this, a page is too coarse to draw on, dpi. */
const LEAST_DPI = 50;
/** Of a picture that is only looked at. */
const QUALITY = 75;

/** @param can with details, of a scanner whose flatbed has an area */
export function previewParameters({ resolutions, colorModes, details }: Capabilities): ScanParameters {
  const flatbed = details?.sources.flatbed;
  const { width = 0, height = 0 } = flatbed?.area ?? {};
  const options = Object.fromEntries((flatbed?.driverOptions ?? []).flatMap(optionFor));
  const formats = details?.formats.map(({ name }) => name) ?? [];
  return {
    source: 'Flatbed',
    area: { x: 0, y: 0, width, height },
    resolution: Math.min(...resolutions.filter(dpi => dpi >= LEAST_DPI)),
    colorMode: colorModes.includes('Color') ? 'Color' : 'Grayscale',
    imageFormat: formats.includes('Jpeg') ? 'Jpeg' : (formats[0] ?? 'Png'),
    jpegQuality: QUALITY,
    ...(Object.keys(options).length > 0 && { driverOptions: options }),
  };
}

/** SANE's well-known option, and eSCL's intent. */
function optionFor({ name, type, values }: DriverOption): readonly (readonly [string, string | boolean])[] {
  if (name === 'preview' && type === 'boolean') return [[name, true]];
  if (name === 'Intent' && values?.includes('Preview')) return [[name, 'Preview']];
  return [];
}
