/** How a test device is built. */

/** Width and height in 1/300 inch, eSCL's unit of length. */
export interface Area {
  readonly width: number;
  readonly height: number;
}

export const colorModes = ['RGB24', 'Grayscale8', 'BlackAndWhite1'] as const;
export type EsclColorMode = (typeof colorModes)[number];

/** JPEG has 8 bits for each pixel of BlackAndWhite1, each 0 or 255; TIFF and PNG have one. */
export type EsclFormat = 'image/jpeg' | 'image/tiff' | 'image/png';

export interface DeviceOptions {
  /** MakeAndModel; `Platen Test Device` when absent. */
  readonly model?: string;
  /** Random when absent. */
  readonly uuid?: string;
  /** `duplex` when absent. */
  readonly feeder?: 'none' | 'simplex' | 'duplex';
  /** true when absent. */
  readonly flatbed?: boolean;
  /** Dots per inch; the usual ones when absent. */
  readonly resolutions?: readonly number[];
  /** What its pages are sent as; JPEG alone when absent. */
  readonly formats?: readonly EsclFormat[];
  /** All when absent. */
  readonly colorModes?: readonly EsclColorMode[];
  /** It lists BlackAndWhite1 and refuses it as JPEG: 409. */
  readonly refusesLines?: boolean;
  /** Letter by A4 when absent. */
  readonly flatbedArea?: Area;
  /** Legal when absent. */
  readonly feederArea?: Area;
  /** It lists and follows Brightness, Contrast, Threshold, Gamma and CompressionFactor; false when absent. */
  readonly levels?: boolean;
  /** Whether the status has an AdfState; true when absent. */
  readonly sensor?: boolean;
  /** AdfState reports trouble until the job is deleted; when absent, until the next job. */
  readonly forgets?: boolean;
  /** A job of an empty feeder is a conflict (409) when absent; `accepts`: it is made, and its first page is 404. */
  readonly emptyFeeder?: 'refuses' | 'accepts';
  /**
   * Answers like AirSane: a job for an empty feeder is created, the end of the stack is 409, and the sensor reports "empty" once and then
   * this again, whatever is in the feeder. Like later versions (PR 135), `empty`: the end is 404.
   */
  readonly airSane?: 'loaded' | 'empty';
  /** Sheets that it feeds before they are requested; those of a deleted job are lost. None when absent. */
  readonly ahead?: number;
  /** Milliseconds that a side takes; none when absent. */
  readonly sideMs?: number;
  /** Milliseconds from one sheet to the next of a feeder whose motor runs on (`motor.ts`), without `ahead`; it waits to be asked when absent. */
  readonly sheetMs?: number;
  /** Sheets for which such a feeder has memory, with the one that is being scanned; 2 when absent. */
  readonly memorySheets?: number;
  /** The Host header that it requires: with the port (Epson), or `localhost` (HP M630). Others are 400. */
  readonly host?: 'port' | 'localhost';
  /** PEM; it speaks plain HTTP when absent. `selfSigned` makes a pair. */
  readonly tls?: { readonly key: string; readonly cert: string };
  /** A free one when absent. */
  readonly port?: number;
  /** The `rs` of its advertisement; `eSCL` when absent. */
  readonly root?: string;
  /** Quality of its JPEGs; 90 when absent. */
  readonly quality?: number;
  /** From this resolution on, JPEGs have 4 MB of comments: large pages that take no time to make. None when absent. */
  readonly largeFrom?: number;
}

/** Minimum, maximum, normal and step of each level. */
export const levelRanges = {
  Brightness: [0, 2000, 1000, 1],
  Contrast: [0, 2000, 1000, 1],
  Threshold: [0, 255, 128, 1],
  Gamma: [1, 30, 10, 1],
  CompressionFactor: [0, 100, 25, 5],
} as const;
export type LevelName = keyof typeof levelRanges;

export type Build = Required<Omit<DeviceOptions, 'airSane' | 'host' | 'sheetMs' | 'tls' | 'uuid'>> &
  Pick<DeviceOptions, 'airSane' | 'host' | 'sheetMs' | 'tls'> & { readonly uuid: string };

/** @param uuid used if the options have none */
export function buildOf(options: DeviceOptions, uuid: string): Build {
  return {
    model: 'Platen Test Device',
    uuid,
    feeder: 'duplex',
    flatbed: true,
    resolutions: [75, 100, 150, 200, 300, 600],
    formats: ['image/jpeg'],
    colorModes,
    refusesLines: false,
    flatbedArea: { width: 2550, height: 3508 },
    feederArea: { width: 2550, height: 4200 },
    levels: false,
    sensor: true,
    forgets: false,
    emptyFeeder: 'refuses',
    ahead: 0,
    sideMs: 0,
    memorySheets: 2,
    port: 0,
    root: 'eSCL',
    quality: 90,
    largeFrom: Infinity,
    ...options,
  };
}
