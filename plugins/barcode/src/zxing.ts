/** zxing in WebAssembly, in the thread that calls: 8-bit planes in its memory, and what it detects on them. */
import type { Symbology } from '@platen/core/plugin';
import { prepareZXingModule, type ZXingReaderModule } from 'zxing-wasm/reader';
import type { Point } from './geometry.js';
import { fromZxing } from './symbologies.js';
import { instantiate, type CompiledWasm } from './wasm.js';

/** What Emscripten adds; its types say so only where a browser's types are known. */
type Module = ZXingReaderModule & {
  readonly HEAPU8: Uint8Array;
  _malloc(bytes: number): number;
  _free(at: number): void;
};

/** An 8-bit grey image in zxing's memory, rows without padding. */
export interface Plane {
  readonly at: number;
  readonly width: number;
  readonly height: number;
}

export interface Detection {
  readonly symbology: Symbology;
  readonly text: string;
  /** Clockwise, from the code's own top left. */
  readonly corners: readonly Point[];
  /** Pixels between the first and the last scan line that agreed on a linear code, at most. */
  readonly agreement: number;
  /** The share of the error correction that was not needed; undefined if the symbology has none, and of an Aztec rune. */
  readonly unusedCorrection: number | undefined;
  /** Located, and too damaged to be read. */
  readonly damaged: boolean;
}

export interface DecodeRequest {
  /** zxing's names, comma-separated; empty decodes nothing. */
  readonly formats: string;
  /** Also rotated by 90, 180 and 270 degrees. */
  readonly rotate: boolean;
  /** `fixed`: 127. `perLine`: one per scan line. `local`: one per 8 x 8 pixels (linear codes: as `perLine`). */
  readonly threshold: 'fixed' | 'perLine' | 'local';
  /**
   * As the library decodes by itself: matrix codes also light on dark, everything also at a third of the size, a ninth,
   * …, and linear codes from two agreeing lines on. Otherwise from one line on: their number makes the confidence.
   */
  readonly libraryDefaults?: boolean;
  /** Also reports codes that were located and not read. */
  readonly damaged?: boolean;
}

export interface Zxing {
  /** Allocates a plane; `free` must release it. */
  plane(width: number, height: number): Plane;
  /** Its bytes. Stale after the next call of `plane` or `decode`, which may move zxing's memory. */
  bytes(plane: Plane): Uint8Array;
  free(plane: Plane): void;
  decode(plane: Plane, request: DecodeRequest): Detection[];
}

/** zxing's numbers. */
const binarizers = { local: 0, perLine: 1, fixed: 2 } as const;
const PLAIN_TEXT = 0;
const BINARY = 1;

const utf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

/** @param compiled the reader's wasm; nothing is fetched */
export async function openZxing(compiled: CompiledWasm): Promise<Zxing> {
  const module = await new Promise<Module>((resolve, reject) => {
    const instantiateWasm = (imports: object, done: (instance: object) => void) => {
      instantiate(compiled, imports).then(done).catch(reject);
      return {};
    };
    prepareZXingModule({ overrides: { instantiateWasm }, fireImmediately: true }).then(
      ready => resolve(ready as Module),
      reject,
    );
  });
  const { _malloc: allocate, _free: release } = module;
  return {
    plane(width, height) {
      const at = allocate(width * height);
      if (at === 0) throw new Error(`There is no memory for an image of ${width} x ${height} pixels.`);
      return { at, width, height };
    },
    bytes: ({ at, width, height }) => module.HEAPU8.subarray(at, at + width * height),
    free: ({ at }) => release(at),
    decode: (plane, request) => (request.formats === '' ? [] : decode(module, plane, request)),
  };
}

function decode(module: Module, { at, width, height }: Plane, request: DecodeRequest): Detection[] {
  const { formats, rotate, threshold, libraryDefaults = false, damaged = false } = request;
  const results = module.readBarcodesFromPixmap(at, width, height, {
    formats,
    tryHarder: true,
    tryRotate: rotate,
    tryInvert: libraryDefaults,
    tryDownscale: libraryDefaults,
    tryDenoise: false,
    binarizer: binarizers[threshold],
    isPure: false,
    downscaleThreshold: 500,
    downscaleFactor: 3,
    minLineCount: libraryDefaults ? 2 : 1,
    maxNumberOfSymbols: 0,
    validateOptionalChecksum: false,
    returnErrors: damaged,
    eanAddOnSymbol: 0,
    textMode: PLAIN_TEXT,
    characterSet: 0,
    tryCode39ExtendedMode: false,
  });
  const detections: Detection[] = [];
  try {
    for (let i = 0; i < results.size(); i++) {
      const result = results.get(i);
      if (!result) continue;
      const extra = parsed(result.extra);
      const named = fromZxing(result.format, result.isValid ? textOf(result) : '', extra);
      if (!named || (result.isValid && named.text === '')) continue;
      const { topLeft, topRight, bottomRight, bottomLeft } = result.position;
      const corners = [topLeft, topRight, bottomRight, bottomLeft].map(({ x, y }) => [x, y] as const);
      const breadth = Math.hypot(bottomLeft.x - topLeft.x, bottomLeft.y - topLeft.y);
      detections.push({
        ...named,
        corners,
        agreement: Math.min(
          breadth,
          agreementOf(result.lineCount, isSideways(result.rotation) ? width : height, libraryDefaults),
        ),
        unusedCorrection: typeof extra['UEC'] === 'number' ? extra['UEC'] : undefined,
        damaged: !result.isValid,
      });
    }
  } finally {
    (results as unknown as { delete(): void }).delete();
  }
  return detections;
}

/** What zxing's result says of a code's content. */
interface Content {
  readonly bytes: Uint8Array;
  readonly text: string;
  /** zxing's number: 0 text, 1 binary, 2 mixed, … */
  readonly contentType: number;
  /** The code declares its own character set. */
  readonly hasECI: boolean;
}

/**
 * The text of a code, from the bytes that it holds. In this order: the character set that the code declares; UTF-8 where
 * the bytes are UTF-8, which zxing's guess may miss; for binary content ISO 8859-1, one character a byte, so that a client
 * can restore the bytes; zxing's guess.
 */
export function textOf({ bytes, text, contentType, hasECI }: Content): string {
  if (hasECI) return text;
  try {
    return utf8.decode(bytes);
  } catch {
    return contentType === BINARY ? Buffer.from(bytes).toString('latin1') : text;
  }
}

/**
 * zxing draws 512 scan lines over an image, or as many as it has rows. Where it wants two that agree, it draws two or
 * four more right beside each line that reads something (its ODReader.cpp); those add no confidence.
 */
function agreementOf(lines: number, rows: number, checked: boolean): number {
  const step = Math.max(1, Math.floor(rows / 512));
  const beside = checked ? Math.min(4, 2 * (step - 1)) : 0;
  return (Math.ceil(lines / (1 + beside)) - 1) * step;
}

function isSideways(degrees: number): boolean {
  return Math.abs(degrees) % 180 > 45 && Math.abs(degrees) % 180 < 135;
}

function parsed(extra: string): Record<string, unknown> {
  return extra === '' ? {} : (JSON.parse(extra) as Record<string, unknown>);
}
