/** `capabilities?details=true`: controls of each source, and what the loaded plugins add; one function per part. */
import {
  customProcessors,
  finderKinds,
  isLossy,
  noWishes,
  settledWithin,
  symbologyNames,
  type BarcodeRecogniser,
  type LoadedReader,
  type Registry,
} from '@platen/core';
import type { RouteParts } from '../routeParts.js';
import { Type } from '../../machine/schemaType.js';
import { DetailedSources, detailedSources } from './sourceDetails.js';

const FormatDetails = Type.Object(
  {
    name: Type.String({ description: 'For `imageFormat`.' }),
    aliases: Type.Array(Type.String(), { description: 'Other names, in lower case; also endings of files.' }),
    mimeType: Type.String({ description: 'The media type of its files.' }),
    lossless: Type.Boolean({ description: 'Whether a file has the exact pixels. If not, `jpegQuality` applies.' }),
  },
  { title: 'FormatDetails', description: 'A loaded image format.' },
);

const RecogniserDetails = Type.Object(
  {
    kind: Type.String({ description: 'barcode, ocr, blank, patch, or another one of a plugin.' }),
    name: Type.String({ description: 'For `readers`.' }),
    wishes: Type.Optional(
      Type.Unknown({ description: 'Present if `recognise` takes its kind: a JSON Schema of its wishes.' }),
    ),
    symbologies: Type.Optional(
      Type.Array(Type.String(), { description: 'Of a reader of barcodes: what `barcodeFormats` takes.' }),
    ),
  },
  { title: 'RecogniserDetails', description: 'A loaded recogniser.' },
);

const ProcessorDetails = Type.Object(
  {
    name: Type.String({ description: 'For `process`.' }),
    options: Type.Unknown({ description: 'A JSON Schema of its options.' }),
  },
  { title: 'ProcessorDetails', description: 'A loaded processor with a name.' },
);

const DocumentDetails = Type.Object(
  {
    format: Type.String({ description: 'For `format` of a document; also the ending of its files.' }),
    name: Type.String({ description: 'For people.' }),
    mimeType: Type.String({ description: 'The media type of its files.' }),
  },
  { title: 'DocumentDetails', description: 'A loaded document format.' },
);

const HealthDetails = Type.Object(
  {
    name: Type.String({ description: 'Lower-case letters, digits and `_`: `firmware`, `roller_counter`.' }),
    value: Type.Union([Type.String(), Type.Number()], { description: 'A number or one line of text.' }),
    title: Type.Optional(Type.String({ description: 'For people. Absent: the name.' })),
  },
  { title: 'HealthDetails', description: 'A fact about the scanner.' },
);

export const CapabilityDetails = Type.Object(
  {
    sources: DetailedSources,
    formats: Type.Array(FormatDetails, { description: 'The loaded image formats.' }),
    documents: Type.Array(DocumentDetails, { description: 'The loaded document formats.' }),
    recognisers: Type.Array(RecogniserDetails, {
      description: "The loaded recognisers in the configuration's order: the first of a kind reads.",
    }),
    processors: Type.Array(ProcessorDetails, {
      description: 'The loaded processors with names, in the order in which they process a page.',
    }),
    health: Type.Optional(
      Type.Array(HealthDetails, {
        description:
          'What the plugin of its driver tells of this scanner: at most 10 minutes old, or older while scans use it. Absent: nothing.',
      }),
    ),
  },
  { title: 'CapabilityDetails', description: 'Controls of each source, and what the loaded plugins add.' },
);
export type CapabilityDetails = Type.Static<typeof CapabilityDetails>;

export type DetailsParts = Pick<RouteParts, 'registry' | 'scans' | 'health'>;

export async function capabilityDetails(
  { registry, scans, health }: DetailsParts,
  name: string | undefined,
): Promise<CapabilityDetails> {
  const told = await healthDetails({ scans, health }, name ?? scans.openNow());
  return {
    sources: await detailedSources(scans, name),
    formats: formatDetails(registry),
    documents: registry.documents.map(({ extension, name: title, mimeType }) => ({
      format: extension,
      name: title,
      mimeType,
    })),
    recognisers: recogniserDetails(registry),
    processors: processorDetails(registry),
    ...(told.length === 0 ? {} : { health: told }),
  };
}

/** Milliseconds that the answer waits for plugins; the next answer has what comes later. */
const HEALTH_WAIT_MS = 500;

async function healthDetails(
  { scans, health }: Pick<DetailsParts, 'scans' | 'health'>,
  name: string | undefined,
): Promise<NonNullable<CapabilityDetails['health']>> {
  await settledWithin(health.ask(), HEALTH_WAIT_MS);
  const known = scans.listed().find(each => each.name === name);
  const { facts = [] } = (known && health.known(known.driver.id)) ?? {};
  return facts.flatMap(({ name: fact, value, title, device }) =>
    device === known?.device.name ? [{ name: fact, value, ...(title === undefined ? {} : { title }) }] : [],
  );
}

function formatDetails({ formats }: Pick<Registry, 'formats'>): CapabilityDetails['formats'] {
  return formats.map(format => ({
    name: format.name,
    aliases: [...format.aliases],
    mimeType: format.mimeType,
    lossless: !isLossy(format),
  }));
}

function recogniserDetails({ readers }: Pick<Registry, 'readers'>): CapabilityDetails['recognisers'] {
  return readers.map(({ name, recogniser }) => ({
    kind: recogniser.kind,
    name,
    ...(finderKinds([{ name, recogniser }]).length > 0 ? { wishes: recogniser.wishes ?? noWishes } : {}),
    ...(isBarcode(recogniser) ? { symbologies: symbologyNames(recogniser) } : {}),
  }));
}

const isBarcode = (recogniser: LoadedReader['recogniser']): recogniser is BarcodeRecogniser =>
  recogniser.kind === 'barcode';

function processorDetails({ processors }: Pick<Registry, 'processors'>): CapabilityDetails['processors'] {
  return customProcessors(processors).map(({ name, options = noWishes }) => ({ name, options }));
}

/**
 * The query of a call that answers more on request: `?details=true`.
 * @param adds what it adds, for the reader of the reference
 */
export const detailsQuery = (adds: string) => ({
  type: 'object',
  properties: {
    details: { type: 'boolean', default: false, description: `${adds} An addition to the interface.` },
  },
});
