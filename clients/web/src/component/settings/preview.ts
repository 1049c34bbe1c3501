/** The preview of the flatbed, on which the person draws the area to scan. */
import type { Area, ScannedPage } from '../../client/shapes.js';
import type { Context } from '../context.js';
import type { AreaLimits } from './areaLimits.js';

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
