/** zxing in WebAssembly, in the thread that asks: 8-bit planes in its memory, and what it sees on them. */
import type { Symbology } from '@platen/core/plugin';
import { prepareZXingModule, type ZXingReaderModule } from 'zxing-wasm/reader';
import type { Point } from './geometry.js';
import { nameOf } from './names.js';
import { textOf } from './text.js';
import { instantiate, type CompiledWasm } from './wasm.js';

/** What Emscripten adds, and its types say only where a browser's are known. */
type Module = ZXingReaderModule & {
  readonly HEAPU8: Uint8Array;
  _malloc(bytes: number): number;
  _free(at: number): void;
};

/** An 8-bit picture in zxing's memory, rows without padding. */
export interface Plane {
  readonly at: number;
  readonly width: number;
  readonly height: number;
}

export interface Sighting {
  readonly symbology: Symbology;
  readonly text: string;
  /** Clockwise, from the top left of the code. */
  readonly corners: readonly Point[];
  /** How many pixels apart the first and the last scan line may be that agreed on a linear code. */
  readonly agreed: number;
  /** The share of the error correction that was not needed, where the symbology has one. */
  readonly unused: number | undefined;
  /** Located, but too damaged to be read. */
  readonly damaged: boolean;
}

export interface Ask {
  /** zxing's names, comma-separated. */
  readonly formats: string;
  /** Also turned by 90, 180 and 270 degrees. */
  readonly rotate: boolean;
  /** How black is told from white: one threshold of 127, one found for each line, or (linear codes: each line) one for each 8 x 8 pixels from their surroundings. */
  readonly threshold: 'fixed' | 'perLine' | 'local';
  /**
   * As the library does of itself: matrix codes also light on dark, everything also at a third of the size, a ninth, …,
   * and linear codes from two lines on. Else from one on: their number is evidence, and weighed as such.
   */
  readonly widely?: boolean;
  /** Ends after that many. */
  readonly most?: number;
  /** Also what was located and could not be read. */
  readonly damaged?: boolean;
}

export interface Zxing {
  /** Must be given back with `free`. */
  plane(width: number, height: number): Plane;
  /** Its bytes; gone stale after the next call of `plane` or `look`, whose memory may have moved. */
  bytes(plane: Plane): Uint8Array;
  free(plane: Plane): void;
  look(plane: Plane, ask: Ask): Sighting[];
}

/** As zxing numbers them. */
const binarizers = { local: 0, perLine: 1, fixed: 2 } as const;
const PLAIN_TEXT = 0;

/** @param compiled the reader's wasm; nothing is fetched */
export async function openZxing(compiled: CompiledWasm): Promise<Zxing> {
  const module = await new Promise<Module>((resolve, reject) => {
    const instantiateWasm = (imports: object, done: (instance: object) => void) => {
      instantiate(compiled, imports).then(done).catch(reject);
      return {};
    };
    prepareZXingModule({ overrides: { instantiateWasm }, fireImmediately: true }).then(ready => resolve(ready as Module), reject);
  });
  const { _malloc: allocate, _free: release } = module;
  return {
    plane(width, height) {
      const at = allocate(width * height);
      if (at === 0) throw new Error(`There is no memory for a picture of ${width} x ${height} pixels.`);
      return { at, width, height };
    },
    bytes: ({ at, width, height }) => module.HEAPU8.subarray(at, at + width * height),
    free: ({ at }) => release(at),
    look: (plane, ask) => (ask.formats === '' ? [] : look(module, plane, ask)),
  };
}

function look(module: Module, { at, width, height }: Plane, { formats, rotate, threshold, widely = false, most = 0, damaged = false }: Ask): Sighting[] {
  const results = module.readBarcodesFromPixmap(at, width, height, {
    formats,
    tryHarder: true,
    tryRotate: rotate,
    tryInvert: widely,
    tryDownscale: widely,
    tryDenoise: false,
    binarizer: binarizers[threshold],
    isPure: false,
    downscaleThreshold: 500,
    downscaleFactor: 3,
    minLineCount: widely ? 2 : 1,
    maxNumberOfSymbols: most,
    validateOptionalChecksum: false,
    returnErrors: damaged,
    eanAddOnSymbol: 0,
    textMode: PLAIN_TEXT,
    characterSet: 0,
    tryCode39ExtendedMode: false,
  });
  const sightings: Sighting[] = [];
  try {
    for (let i = 0; i < results.size(); i++) {
      const result = results.get(i);
      if (!result) continue;
      const extra = parsed(result.extra);
      const named = nameOf(result.format, result.isValid ? textOf(result) : '', extra);
      if (!named || (result.isValid && named.text === '')) continue;
      const { topLeft, topRight, bottomRight, bottomLeft } = result.position;
      const corners = [topLeft, topRight, bottomRight, bottomLeft].map(({ x, y }) => [x, y] as const);
      const breadth = Math.hypot(bottomLeft.x - topLeft.x, bottomLeft.y - topLeft.y);
      sightings.push({
        ...named,
        corners,
        agreed: Math.min(breadth, agreement(result.lineCount, turned(result.rotation) ? width : height, widely)),
        unused: typeof extra['UEC'] === 'number' ? extra['UEC'] : undefined,
        damaged: !result.isValid,
      });
    }
  } finally {
    (results as unknown as { delete(): void }).delete();
  }
  return sightings;
}

/**
 * zxing draws 512 scan lines over a picture, or as many as it has rows; where it wants two that agree, it draws two or four
 * more right beside each that reads something (its ODReader.cpp). Those tell nothing new.
 */
function agreement(lines: number, rows: number, checked: boolean): number {
  const step = Math.max(1, Math.floor(rows / 512));
  const beside = checked ? Math.min(4, 2 * (step - 1)) : 0;
  return (Math.ceil(lines / (1 + beside)) - 1) * step;
}

function turned(degrees: number): boolean {
  return Math.abs(degrees) % 180 > 45 && Math.abs(degrees) % 180 < 135;
}

function parsed(extra: string): Record<string, unknown> {
  return extra === '' ? {} : (JSON.parse(extra) as Record<string, unknown>);
}
