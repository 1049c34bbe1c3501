/** The options of virtual scanners, and the settings that they amount to with the defaults. */
import { isAbsolute, resolve } from 'node:path';
import { colorModes, driverCodes, millimetres, pageSizes, scanPageSizes } from '@platen/core/driver';
import type { ColorMode, DriverCode, PageSize } from '@platen/core/plugin';
import { areas, MM_PER_INCH } from './layout.js';

export interface Fault {
  /** 1-based within a scan, or every sheet; or the first opening or closing of the scanner, which only hang. */
  readonly sheet: number | 'always' | 'open' | 'close';
  /** `hang`: the sheet is never delivered, the scanner never opened or closed. */
  readonly fault: DriverCode | 'hang';
}

const defaults = {
  feeder: true,
  flatbed: false,
  duplex: false,
  createTray: false,
  msPerPage: 0,
  faults: [] as readonly Fault[],
  manufacturer: 'Platen',
  model: 'Virtual scanner',
  resolutions: [75, 100, 150, 200, 300, 600] as readonly number[],
  colorModes: colorModes as readonly ColorMode[],
  pageSizes: scanPageSizes as readonly PageSize[],
  largest: 'Legal' as keyof typeof areas,
  paperSensor: true,
  feeding: 'perSheet' as 'perSheet' | 'continuous',
  backing: 'white' as 'white' | 'black',
};
type Settings = Readonly<typeof defaults>;

export interface ScannerOptions extends Partial<Settings> {
  readonly name: string;
  readonly tray?: string;
  readonly samples?: number;
}

export interface VirtualOptions {
  readonly scanners: readonly ScannerOptions[];
}

/** One scanner, with every default filled in. */
export interface ScannerSettings extends Settings {
  readonly name: string;
  /** Absolute. */
  readonly tray: string | undefined;
  /** The data folder, if the tray is relative to it. */
  readonly trayBelow: string | undefined;
  readonly samples: number;
}

const flag = (name: 'feeder' | 'flatbed' | 'duplex' | 'createTray' | 'paperSensor', description: string) => ({
  type: 'boolean',
  default: defaults[name],
  description,
});
const word = (name: 'manufacturer' | 'model', description: string) => ({
  type: 'string',
  minLength: 1,
  maxLength: 100,
  default: defaults[name],
  description,
});
const choices = (values: readonly string[], standard: readonly string[], description: string) => ({
  type: 'array',
  items: { type: 'string', enum: [...values] },
  minItems: 1,
  uniqueItems: true,
  default: [...standard],
  description,
});

const fault = {
  type: 'object',
  required: ['sheet', 'fault'],
  additionalProperties: false,
  properties: {
    sheet: {
      description:
        'The sheet that meets the fault, 1-based within a scan, or "always"; "open" and "close" with "hang": the first opening or closing of the scanner never ends.',
      anyOf: [
        { type: 'integer', minimum: 1 },
        { type: 'string', enum: ['always', 'open', 'close'] },
      ],
    },
    fault: {
      type: 'string',
      enum: [...driverCodes, 'hang'],
      description: 'The code that the scan fails with, or "hang": the sheet is never delivered.',
    },
  },
};

const scanner = {
  type: 'object',
  required: ['name'],
  additionalProperties: false,
  properties: {
    name: {
      type: 'string',
      minLength: 1,
      maxLength: 100,
      pattern: '^\\S(.*\\S)?$',
      description: 'Unique; no leading or trailing blanks.',
    },
    feeder: flag('feeder', 'It has a document feeder.'),
    flatbed: flag('flatbed', 'It has a flatbed.'),
    duplex: flag('duplex', 'Its feeder scans both sides.'),
    tray: { type: 'string', minLength: 1, description: 'A folder of image files, relative to the data folder.' },
    createTray: flag('createTray', 'Create the folder if it does not exist.'),
    samples: {
      type: 'integer',
      minimum: 0,
      maximum: 1000,
      description: 'Built-in documents that a scan of an empty feeder finds.',
    },
    msPerPage: {
      type: 'integer',
      minimum: 0,
      maximum: 600_000,
      default: defaults.msPerPage,
      description: 'Milliseconds a side.',
    },
    faults: { type: 'array', items: fault, default: [], description: 'Faults that each scan meets.' },
    manufacturer: word('manufacturer', 'The manufacturer that clients see.'),
    model: word('model', 'The model that clients see.'),
    resolutions: {
      type: 'array',
      items: { type: 'integer', minimum: 50, maximum: 1200 },
      minItems: 1,
      uniqueItems: true,
      default: [...defaults.resolutions],
      description: 'Resolutions that it offers, in dpi.',
    },
    colorModes: choices(colorModes, defaults.colorModes, 'Colour modes that it offers.'),
    pageSizes: choices(pageSizes, defaults.pageSizes, 'Page sizes that it offers.'),
    largest: {
      type: 'string',
      enum: Object.keys(areas),
      default: defaults.largest,
      description: 'The largest page that it scans: its scan area.',
    },
    paperSensor: flag('paperSensor', 'Without one, paper is "unknown".'),
    feeding: {
      type: 'string',
      enum: ['perSheet', 'continuous'],
      default: defaults.feeding,
      description: 'Whether it feeds a sheet when it is asked for, or goes on by itself.',
    },
    backing: {
      type: 'string',
      enum: ['white', 'black'],
      default: defaults.backing,
      description: 'The background behind a sheet that is smaller than the page.',
    },
  },
};

export const optionsSchema = {
  type: 'object',
  required: ['scanners'],
  additionalProperties: false,
  properties: {
    scanners: { type: 'array', items: scanner, minItems: 1, description: 'The scanners that it simulates.' },
  },
};

/** @throws Error that names the scanner, if its settings contradict each other */
export function readOptions(options: VirtualOptions, dataDir: string): readonly ScannerSettings[] {
  const names = new Set<string>();
  return options.scanners.map(each => {
    if (names.has(each.name))
      throw new Error(`Two virtual scanners are called "${each.name}": give each a unique name.`);
    names.add(each.name);
    return readScanner(each, dataDir);
  });
}

function readScanner(given: ScannerOptions, dataDir: string): ScannerSettings {
  const all = { ...defaults, ...given };
  const who = `The virtual scanner "${all.name}"`;
  if (!all.feeder && !all.flatbed)
    throw new Error(`${who} has neither a feeder nor a flatbed: set one of them to true.`);
  if (all.duplex && !all.feeder)
    throw new Error(`${who} scans both sides without a feeder: set "feeder" to true or "duplex" to false.`);
  if (all.createTray && all.tray === undefined)
    throw new Error(`${who} has "createTray" without a "tray": name the folder.`);
  const other = all.faults.find(each => (each.sheet === 'open' || each.sheet === 'close') && each.fault !== 'hang');
  if (other)
    throw new Error(`${who} has the fault "${other.fault}" at "${other.sheet}": there, it can only have "hang".`);
  const fitting = pageSizes.filter(size => all.pageSizes.includes(size) && fits(size, areas[all.largest]));
  if (!fitting.length)
    throw new Error(`${who} has no page size that fits its scan area, ${all.largest}: ${all.pageSizes.join(', ')}.`);
  return {
    ...all,
    tray: all.tray === undefined ? undefined : resolve(dataDir, all.tray),
    trayBelow: all.tray === undefined || isAbsolute(all.tray) ? undefined : resolve(dataDir),
    samples: all.samples ?? (all.tray === undefined ? 3 : 0),
    resolutions: [...all.resolutions].sort((a, b) => a - b),
    colorModes: colorModes.filter(mode => all.colorModes.includes(mode)),
    pageSizes: fitting,
  };
}

function fits(size: PageSize, area: { readonly width: number; readonly height: number }): boolean {
  if (size === 'Auto') return true;
  const { width, height } = millimetres[size];
  const rounding = 0.01;
  return width <= area.width * MM_PER_INCH + rounding && height <= area.height * MM_PER_INCH + rounding;
}
