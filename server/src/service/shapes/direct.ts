/** The shapes of `POST /api/twain`: six methods in one envelope. */
import { Type } from '../../machine/schemaType.js';
import { directCodes } from './envelope.js';
import { DirectParameters } from '../parameters/scanParameters.js';

const sourceName = Type.String({ minLength: 1, description: 'the name of a scanner' });
/** The `params` of each method. */
export const directParams = {
  getSources: Type.Object({}),
  openSource: Type.Object({ sourceName }),
  closeSource: Type.Object({}),
  getCapabilities: Type.Object({ sourceName: Type.Optional(sourceName), details: Type.Optional(Type.Boolean()) }),
  getStatus: Type.Object({}),
  scan: DirectParameters,
};
export type DirectMethod = keyof typeof directParams;

export const DirectBody = Type.Object({
  kind: Type.Enum(['twainlocalscanner']),
  method: Type.Enum(Object.keys(directParams) as DirectMethod[]),
  commandId: Type.Optional(
    Type.String({
      minLength: 1,
      maxLength: 200,
      pattern: '^[\\x21-\\x7e]+$',
      description: 'up to 200 printable characters without spaces',
    }),
  ),
});

/** `DirectBody` with all `params`, for the document; a request is checked against its method's own schema. */
export const DirectCommand = Type.Object(
  {
    ...DirectBody.properties,
    params: Type.Optional(
      Type.Union(
        [
          DirectParameters,
          Type.Object(
            {
              sourceName: Type.Optional(sourceName),
              details: Type.Optional(
                Type.Boolean({
                  description:
                    'For getCapabilities: adds `details`, controls of each source, and what the loaded plugins add. An addition to the interface.',
                }),
              ),
            },
            {
              title: 'DirectSource',
              description: 'For openSource and getCapabilities. getCapabilities without it means the open scanner.',
            },
          ),
          Type.Null(),
        ],
        {
          description:
            'scan takes DirectScanParameters; openSource and getCapabilities take DirectSource; the others take nothing.',
        },
      ),
    ),
  },
  {
    title: 'DirectCommand',
    description: 'A method and its parameters.',
    examples: [{ kind: 'twainlocalscanner', method: 'scan', params: { resolution: 300, outputFormat: 'jpeg' } }],
  },
);

const DirectSuccess = Type.Object(
  { success: Type.Literal(true), code: Type.Literal('success') },
  { title: 'DirectSuccess' },
);
const DirectFailure = Type.Object(
  {
    success: Type.Literal(false),
    code: Type.Enum([...directCodes], { description: 'invalidState: no scanner is open.' }),
    jsonKey: Type.Optional(Type.String({ description: 'With invalidValue: the field.' })),
    characterOffset: Type.Optional(
      Type.Integer({ description: 'With invalidJson: the offset of the first error in the text.' }),
    ),
  },
  { title: 'DirectFailure' },
);

export const DirectAnswer = Type.Object(
  {
    kind: Type.String({ examples: ['twainlocalscanner'] }),
    commandId: Type.String({ description: "The request's id, or a new one." }),
    method: Type.String(),
    results: Type.Union([DirectSuccess, DirectFailure]),
    data: Type.Record(Type.String(), Type.Unknown(), {
      description:
        'On failure: `message`. getSources: {availableSources: [Scanner]}. openSource: {message, scanner: Scanner}. closeSource: {message}. getCapabilities: {capabilities: Capabilities}. getStatus: {scannerStatus: ScannerStatus}. scan: the fields of ScanResult.',
    }),
  },
  {
    title: 'DirectAnswer',
    description: 'The command that it answers, and the result.',
    examples: [
      {
        kind: 'twainlocalscanner',
        commandId: '7f1c2a3e-0000-4000-8000-000000000000',
        method: 'closeSource',
        results: { success: true, code: 'success' },
        data: { message: 'The scanner is closed.' },
      },
    ],
  },
);
