/** The text of the pages, invisible over their images. The seam: words come in, operators and the fonts' objects go out. */
import type { DocumentPage } from '@platen/core/plugin';
import { reference, type ObjectNumber } from '../syntax.js';
import { textContent } from './content.js';
import { type FontObject, textFonts } from './fonts.js';
import type { FontName } from './pen.js';

/** Where the image is on its page, in units of the page, from its lower left corner, before the page is turned. */
export interface Placed {
  /** The lower edge of the image. */
  readonly bottom: number;
  readonly width: number;
  readonly height: number;
  /** Units of a pixel of the file; the same in both directions. */
  readonly perPixel: number;
}

export interface PageText {
  /** For the page's content, in Latin-1, after those of its image. */
  readonly operators: string;
  /** Entries of the dictionary `Font` of its resources. */
  readonly fonts: string;
}

/** Of one document. */
export interface TextLayer {
  /** @returns undefined if there is nothing to write */
  content(page: DocumentPage, placed: Placed): PageText | undefined;
  /** Called after the last page: the fonts, and all other objects that were reserved; none if no page has text. */
  fontObjects(): Promise<readonly FontObject[]>;
}

const FIRST_SURROGATE = 0xd800;
const SURROGATES = 2048;
const REPLACEMENT = 0xfffd;

/** @param reserve a number for an object: others refer to it before it is written, and written it has to be */
export function createTextLayer(reserve: () => ObjectNumber): TextLayer {
  const fonts: Partial<Record<FontName, ObjectNumber>> = {};
  /** First bytes of the other font's codes. */
  const high = new Set<number>([0]);
  /** Codes of characters beyond the first 65,536: surrogates, which are no characters, in the order of their use. */
  const beyond = new Map<number, number>();

  function codeOf(point: number): number {
    if (point <= 0xffff) return point;
    const known = beyond.get(point);
    if (known !== undefined) return known;
    if (beyond.size === SURROGATES) return REPLACEMENT;
    const code = FIRST_SURROGATE + beyond.size;
    beyond.set(point, code);
    return code;
  }

  return {
    content(page, placed) {
      const text = textContent(page.words, page, placed, word => {
        const codes = [...word].map(each => codeOf(each.codePointAt(0)!));
        for (const code of codes) high.add(code >> 8);
        return codes;
      });
      if (!text) return undefined;
      const entries = [...text.fonts].map(name => `/${name} ${reference((fonts[name] ??= reserve()))}`);
      return { operators: text.operators, fonts: entries.join(' ') };
    },

    async fontObjects() {
      if (Object.keys(fonts).length === 0) return [];
      return textFonts(fonts, high, new Map([...beyond].map(([point, code]) => [code, point])), reserve);
    },
  };
}
