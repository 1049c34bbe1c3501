/** `details.sources` of a scanner's capabilities: what a request can control on each source, and who does it. */
import {
  hardwareControls,
  optionControls,
  optionTypes,
  optionUnits,
  type HardwareControl,
  type ScanService,
} from '@platen/core';
import { Type } from '../../machine/schemaType.js';

const value = () => Type.Union([Type.String(), Type.Number(), Type.Boolean()]);

const DriverOption = Type.Object(
  {
    name: Type.String({ description: 'For `driverOptions`.' }),
    title: Type.Optional(Type.String({ description: 'For people, as the vendor has it.' })),
    description: Type.Optional(Type.String({ description: 'For people, as the vendor has it.' })),
    type: Type.Enum([...optionTypes]),
    unit: Type.Optional(Type.Enum([...optionUnits])),
    minimum: Type.Optional(Type.Number()),
    maximum: Type.Optional(Type.Number()),
    step: Type.Optional(Type.Number({ description: 'Another value becomes the nearest.' })),
    values: Type.Optional(Type.Array(value(), { description: 'All values that it takes.' })),
    default: Type.Optional(value()),
    controls: Type.Optional(
      Type.Array(Type.Enum([...optionControls]), {
        description: 'The parameters that set the same. A request may have the option or the parameters.',
      }),
    ),
    advanced: Type.Optional(Type.Boolean({ description: 'The vendor counts it as one for experts.' })),
  },
  { title: 'DriverOption', description: "An option of the scanner's driver. A fact that cannot be read is absent." },
);

const AreaLimits = Type.Object(
  {
    width: Type.Number(),
    height: Type.Number(),
    minWidth: Type.Optional(Type.Number()),
    minHeight: Type.Optional(Type.Number()),
  },
  { title: 'AreaLimits', description: 'The largest area, and the smallest, in millimetres.' },
);

const who = () => Type.Optional(Type.Enum(['scanner', 'software']));

const SourceDetails = Type.Object(
  {
    area: Type.Optional(AreaLimits),
    controls: Type.Object(
      Object.fromEntries(hardwareControls.map(each => [each, who()])) as Record<
        HardwareControl,
        ReturnType<typeof who>
      >,
      { description: 'Who does each parameter. One that is absent is ignored, and a note says so.' },
    ),
    driverOptions: Type.Array(DriverOption),
  },
  { title: 'SourceDetails', description: 'What a request can control on a source.' },
);

export const DetailedSources = Type.Object(
  { feeder: Type.Optional(SourceDetails), flatbed: Type.Optional(SourceDetails) },
  { description: 'What a request can control on each source.' },
);
export type DetailedSources = Type.Static<typeof DetailedSources>;

export async function detailedSources(scans: ScanService, name: string | undefined): Promise<DetailedSources> {
  return structuredClone(await scans.sources(name)) as DetailedSources;
}
