/** The words of the loaded plugins in the OpenAPI document: it lists what this service accepts. */
import {
  customProcessors,
  finderKinds,
  imageFormatNames,
  noWishes,
  outputFormatNames,
  symbologyNames,
  type BarcodeRecogniser,
  type Registry,
} from '@platen/core';

/** A named shape, as far as this file reads it. */
interface Shape {
  readonly properties?: Readonly<Record<string, object>>;
}

interface Described {
  readonly components?: { readonly schemas?: Readonly<Record<string, Shape>> };
}

/** The shapes of parameters, which have the fields of `fieldsOf`. */
const shapes = ['ScanParameters', 'StartParameters', 'DirectScanParameters'];

export function withVocabulary<Document extends object>(document: Document, registry: Registry): Document {
  const { components = {} } = document as Described;
  const { schemas = {} } = components;
  const fields = fieldsOf(registry);
  const named = shapes.flatMap(name => {
    const shape = schemas[name];
    return shape ? [[name, { ...shape, properties: withFields(shape.properties ?? {}, fields) }] as const] : [];
  });
  return { ...document, components: { ...components, schemas: { ...schemas, ...Object.fromEntries(named) } } };
}

/** What is added to each field, by its name. */
function fieldsOf({ formats, readers, processors }: Registry): Readonly<Record<string, object>> {
  const [reader] = readers.filter(({ recogniser }) => recogniser.kind === 'barcode');
  const kinds = [...new Set(readers.map(({ recogniser }) => recogniser.kind))];
  return {
    barcodeFormats: {
      items: { type: 'string', examples: symbologyNames(reader?.recogniser as BarcodeRecogniser | undefined) },
    },
    recognise: objectOf(
      finderKinds(readers).map(kind => [
        kind,
        anyOf(readers.flatMap(({ recogniser }) => (recogniser.kind === kind ? [recogniser.wishes ?? noWishes] : []))),
      ]),
    ),
    process: objectOf(customProcessors(processors).map(({ name, options = noWishes }) => [name, options])),
    readers: objectOf(
      kinds.map(kind => [
        kind,
        wordsOf(readers.filter(({ recogniser }) => recogniser.kind === kind).map(({ name }) => name)),
      ]),
    ),
    imageFormat: wordsOf(imageFormatNames(formats)),
    outputFormat: wordsOf(outputFormatNames(formats)),
  };
}

/** Without properties, it is left as the routes describe it. */
function objectOf(properties: readonly (readonly [name: string, schema: object])[]): object {
  if (properties.length === 0) return {};
  return { properties: Object.fromEntries(properties), patternProperties: undefined, additionalProperties: false };
}

/** The one in `readers` checks a request. @param schemas at least one */
const anyOf = (schemas: readonly object[]): object => (schemas.length > 1 ? { anyOf: schemas } : (schemas[0] ?? {}));

/** An empty list would accept nothing. */
const wordsOf = (names: readonly string[]): object => ({
  type: 'string',
  ...(names.length > 0 ? { enum: names } : {}),
});

function withFields(properties: Readonly<Record<string, object>>, fields: Readonly<Record<string, object>>): object {
  return Object.fromEntries(Object.entries(properties).map(([name, schema]) => [name, { ...schema, ...fields[name] }]));
}
