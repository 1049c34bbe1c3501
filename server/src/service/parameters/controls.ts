/** The controls of a scan: one table, from which requests, OpenAPI and the command line take each of them. */
import {
  levelRange,
  requestedSources,
  thresholdRange,
  transferModes,
  type ScanControls,
  type ScanOptions,
} from '@platen/core';
import type { TSchema } from 'typebox';
import { areaOf, integerOf, optionOf } from './controlText.js';
import { Type } from '../../machine/schemaType.js';

/** On the command line. */
export interface ControlFlag {
  readonly name: string;
  /** The value's name in the help. */
  readonly shows: string;
  /** For the help. */
  readonly says: string;
  readonly read?: (text: string) => unknown;
  /** It may be given several times; what is read is merged. */
  readonly isRepeated?: true;
}

interface Control {
  readonly schema: TSchema;
  readonly flag: ControlFlag;
}

const millimetres = (description: string, more: object) =>
  Type.Number({ ...more, description: `In millimetres. ${description}` });

const Area = Type.Object(
  {
    x: millimetres('From the left edge of the page as it comes out.', { minimum: 0 }),
    y: millimetres('From the top edge.', { minimum: 0 }),
    width: millimetres('More than 0.', { exclusiveMinimum: 0 }),
    height: millimetres('More than 0.', { exclusiveMinimum: 0 }),
  },
  { title: 'Area', description: 'A part of a page.', examples: [{ x: 10, y: 20, width: 100, height: 50 }] },
);

const level = (what: string) =>
  Type.Optional(Type.Integer({ ...levelRange, description: `${what} 0 or absent: as the scanner has it.` }));

export const controlParameters = {
  source: {
    schema: Type.Optional(
      Type.Enum([...requestedSources], {
        description:
          'Feeder: also if the scanner says that it is empty. Auto or absent: the feeder, unless it is known to be empty.',
      }),
    ),
    flag: { name: 'source', shows: 'SOURCE', says: 'Feeder, Flatbed or Auto: the feeder unless it is empty (Auto)' },
  },
  sheets: {
    schema: Type.Optional(
      Type.Integer({
        minimum: 1,
        maximum: 10_000,
        description:
          'Feed no more sheets; in auto-scan, at a time. A scanner that feeds ahead may feed a few more. Absent: all.',
      }),
    ),
    flag: { name: 'sheets', shows: 'N', says: 'feed no more than N sheets (all)', read: integerOf },
  },
  area: {
    schema: Type.Optional(Area),
    flag: {
      name: 'area',
      shows: 'X,Y,WxH',
      says: 'a part of the page in mm, such as 10,20,100x50; replaces --size',
      read: areaOf,
    },
  },
  brightness: {
    schema: level('-100, dark, to 100, light.'),
    flag: { name: 'brightness', shows: 'N', says: '-100 to 100: lighter (0)', read: integerOf },
  },
  contrast: {
    schema: level('-100, little, to 100, much.'),
    flag: { name: 'contrast', shows: 'N', says: '-100 to 100: more contrast (0)', read: integerOf },
  },
  threshold: {
    schema: Type.Optional(
      Type.Integer({
        ...thresholdRange,
        description: 'For BlackAndWhite only: what is darker is black. Absent: software adapts it to the page.',
      }),
    ),
    flag: {
      name: 'threshold',
      shows: 'N',
      says: '0 to 255: darker is black, with --color BlackAndWhite (adapted to the page)',
      read: integerOf,
    },
  },
  driverOptions: {
    schema: Type.Optional(
      Type.Record(Type.String(), Type.Union([Type.String(), Type.Number(), Type.Boolean()]), {
        description:
          "Options of this scanner's driver, by name: those of `details.sources` in its capabilities. One that sets the same as another given parameter is rejected.",
        examples: [{ backing: 'black' }],
      }),
    ),
    flag: {
      name: 'option',
      shows: 'NAME=VALUE',
      says: "an option of the scanner's driver; may be repeated",
      read: optionOf,
      isRepeated: true,
    },
  },
  transferMode: {
    schema: Type.Optional(
      Type.Enum([...transferModes], {
        description: "TWAIN only. Absent: the desktop application's configuration decides.",
      }),
    ),
    flag: { name: 'transfer-mode', shows: 'MODE', says: 'Auto, Native or Buffered; TWAIN only' },
  },
} satisfies Readonly<Record<keyof ScanControls | 'source' | 'sheets', Control>>;

type Controls = typeof controlParameters;
export type ControlName = keyof Controls;

/** The fields of a request. */
export const controlFields = Object.fromEntries(
  Object.entries(controlParameters).map(([name, { schema }]) => [name, schema]),
) as { [Name in ControlName]: Controls[Name]['schema'] };

type Given = { readonly [Name in ControlName]?: Type.Static<Controls[Name]['schema']> };

/** @param parameters checked against the schemas of `controlFields` */
export function controlsFrom(parameters: Given): Pick<ScanOptions, 'source' | 'sheets' | 'controls' | 'given'> {
  const given = Object.entries(parameters).filter(([name]) => Object.hasOwn(controlFields, name));
  const { source, sheets, ...controls } = Object.fromEntries(given) as Given;
  return {
    ...(source === undefined ? {} : { source }),
    ...(sheets === undefined ? {} : { sheets }),
    controls,
    ...(controls.driverOptions ? { given: Object.keys(parameters) } : {}),
  };
}
