/** What the configuration may say of text recognition. */

export interface OcrOptions {
  readonly engine: 'auto' | 'wasm' | 'native';
  readonly languages: readonly string[];
  /** Absent: as many as there are cores. */
  readonly workers?: number;
  readonly pageSeconds: number;
  readonly program: string;
}

export const optionsSchema = {
  type: 'object',
  additionalProperties: false,
  properties: {
    engine: {
      enum: ['auto', 'wasm', 'native'],
      default: 'auto',
      description: 'native: the program tesseract of this computer. wasm: Tesseract as it comes with the plugin. auto: the program where there is one.',
    },
    languages: {
      type: 'array',
      items: { type: 'string', pattern: '^[A-Za-z_]+$' },
      minItems: 1,
      uniqueItems: true,
      default: ['eng'],
      description: 'Languages to read, as Tesseract names them, the most frequent one first. Each needs its package, @tesseract.js-data/eng.',
    },
    workers: {
      type: 'integer',
      minimum: 1,
      maximum: 64,
      description: 'Pages that are read at the same time; as many as there are cores when absent. Each takes about 150 MB while it reads.',
    },
    pageSeconds: {
      type: 'number',
      exclusiveMinimum: 0,
      maximum: 3600,
      default: 60,
      description: 'A page that takes longer is given up: it is delivered without text.',
    },
    program: {
      type: 'string',
      minLength: 1,
      default: 'tesseract',
      description: 'The program for the engine native: a name on the path, or a path; a relative one begins at the data folder.',
    },
  },
} as const;
