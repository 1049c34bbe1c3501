/** A plugin like a vendor's: its scanners yield pages that lie rendered on disk, as fast as they can be read. */
import { once } from 'node:events';
import { appendFileSync } from 'node:fs';
import { createServer } from 'node:net';
import {
  definePlugin,
  ScanError,
  type Call,
  type Device,
  type Page,
  type ScanCall,
  type Session,
} from '@platen/core/plugin';
import { readRaw } from '../rawFile.js';

export interface StackOptions {
  /** Raw rgb24 files without padding, all of one size. */
  readonly files: readonly string[];
  readonly width: number;
  readonly height: number;
  readonly dpi: number;
  /** A scanner for each: how many sheets lie in its feeder. The files come round again. */
  readonly stacks: readonly number[];
  /** Reads the files once, and yields copies of them: pages cost no more than that. */
  readonly hold: boolean;
  /**
   * A socket: whoever connects to it makes the copies for the next scan of the first stack, and is hung up on when they
   * are there. Such pages cost the scan nothing.
   */
  readonly ready?: string;
  /** A line for each page, when its last byte is there: nanoseconds of the system's monotonic clock. */
  readonly log?: string;
}

export const stackName = (sheets: number): string => `Stack of ${sheets}`;

const plugin = definePlugin<StackOptions>({
  name: 'platen-bench-stacks',
  api: 1,
  optionsSchema: {
    type: 'object',
    required: ['files', 'width', 'height', 'dpi', 'stacks', 'hold'],
    properties: {
      files: { type: 'array', minItems: 1, items: { type: 'string' } },
      width: { type: 'integer' },
      height: { type: 'integer' },
      dpi: { type: 'integer' },
      stacks: { type: 'array', minItems: 1, items: { type: 'integer', minimum: 1 } },
      hold: { type: 'boolean' },
      ready: { type: 'string' },
      log: { type: 'string' },
    },
  },
  async setup({ options }) {
    const read = (file: string): Promise<Uint8Array> => readRaw(file, options.width * options.height * 3);
    const held = options.hold
      ? new Map(await Promise.all(options.files.map(async file => [file, await read(file)] as const)))
      : undefined;
    const made: Uint8Array[] = [];
    const pageOf = async (file: string): Promise<Uint8Array> => {
      const page = held?.get(file);
      // A copy: a page's buffer is given away, and a Buffer's own slice() is a view.
      return made.shift() ?? (page ? new Uint8Array(page) : read(file));
    };
    const door = createServer(client => {
      const [sheets = 0] = options.stacks;
      for (let at = made.length; at < sheets; at++) {
        const page = held?.get(options.files[at % options.files.length] ?? '');
        if (page) made.push(new Uint8Array(page));
      }
      client.end();
    });
    if (options.ready !== undefined) await once(door.listen(options.ready), 'listening');
    const driver = {
      id: 'bench-stacks',
      async *devices() {
        for (const sheets of options.stacks) yield deviceOf(sheets);
      },
      async open(id: string, { signal }: Call) {
        signal.throwIfAborted();
        const sheets = Number(id);
        if (!options.stacks.includes(sheets)) throw new ScanError('device-not-found', `There is no stack ${id}.`);
        return sessionOf(sheets, options, pageOf);
      },
      async close() {
        door.close();
      },
    };
    return { drivers: [driver] };
  },
});

function deviceOf(sheets: number): Device {
  const facts = {
    manufacturer: 'Platen',
    model: 'Stack',
    online: true,
    feeder: true,
    flatbed: false,
    duplex: false,
  } as const;
  return { id: String(sheets), name: stackName(sheets), feeding: 'perSheet', ...facts };
}

function sessionOf(
  sheets: number,
  { files, width, height, dpi, log }: StackOptions,
  pageOf: (file: string) => Promise<Uint8Array>,
): Session {
  let closed = false;
  return {
    device: deviceOf(sheets),
    async capabilities() {
      return {
        feeder: { resolutions: [dpi], colorModes: ['Color'], duplex: false, pageSizes: ['A4'], adjustments: [] },
      };
    },
    async status() {
      return { online: !closed, paper: 'loaded' };
    },
    async *scan(_order, { signal, stop }: ScanCall): AsyncGenerator<Page, void> {
      for (let number = 1; number <= sheets && !stop.aborted && !closed; number++) {
        signal.throwIfAborted();
        const data = await pageOf(files[(number - 1) % files.length] ?? '');
        if (log !== undefined) appendFileSync(log, `${process.hrtime.bigint()}\n`);
        yield {
          kind: 'raw',
          sheet: number,
          side: 'front',
          width,
          height,
          dpi,
          pixels: 'rgb24',
          stride: width * 3,
          data,
        };
      }
    },
    async close() {
      closed = true;
    },
  };
}

// oxlint-disable-next-line import/no-default-export -- the loader takes a plugin's default export
export default plugin;
