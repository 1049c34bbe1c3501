/** The options of text recognition in the configuration. */

export interface OcrOptions {
  readonly engine: 'auto' | 'wasm' | 'native';
  readonly languages: readonly string[];
  /** Absent: one per core. */
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
      description:
        'native: the installed program tesseract. wasm: the bundled Tesseract. auto: the program where there is one.',
    },
    languages: {
      type: 'array',
      items: { type: 'string', pattern: '^[A-Za-z_]+$' },
      minItems: 1,
      uniqueItems: true,
      default: ['eng'],
      description:
        'Languages by their Tesseract names, the most frequent first. Each needs its package, @tesseract.js-data/eng.',
    },
    workers: {
      type: 'integer',
      minimum: 1,
      maximum: 64,
      description: 'Pages that are read at the same time; one per core when absent. Each takes about 150 MB.',
    },
    pageSeconds: {
      type: 'number',
      exclusiveMinimum: 0,
      maximum: 3600,
      default: 60,
      description: 'Seconds per page; a page that takes longer is delivered without text.',
    },
    program: {
      type: 'string',
      minLength: 1,
      default: 'tesseract',
      description: 'The program of the engine native: a name on the PATH, or a path relative to the data folder.',
    },
  },
} as const;
