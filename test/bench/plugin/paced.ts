/** A plugin like a vendor's: a feeder that takes its time, and writes down when each page's last byte was there. */
import { appendFileSync, existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { setTimeout as wait } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { definePlugin, ScanError, type Device, type Page, type ScanCall, type Session } from '@platen/core/plugin';

export interface PacedOptions {
  /** Raw rgb24 files without padding, all of one size; the pages come round again. */
  readonly files: readonly string[];
  readonly width: number;
  readonly height: number;
  readonly dpi: number;
  readonly sheets: number;
  readonly msPerPage: number;
  /** Paper lies in the feeder once this file exists. */
  readonly go: string;
  /** A line for each page: nanoseconds of the system's monotonic clock. */
  readonly log: string;
}

export const PACED = 'Paced feeder';
/** This file, for a configuration. */
export const pacedPlugin = fileURLToPath(import.meta.url);

const device: Device = {
  id: 'paced',
  name: PACED,
  manufacturer: 'Platen',
  model: 'Paced',
  online: true,
  feeder: true,
  flatbed: false,
  duplex: false,
  feeding: 'perSheet',
};

const plugin = definePlugin<PacedOptions>({
  name: 'platen-bench-paced',
  api: 1,
  optionsSchema: { type: 'object', required: ['files', 'width', 'height', 'dpi', 'sheets', 'msPerPage', 'go', 'log'] },
  async setup({ options }) {
    const pages = await Promise.all(options.files.map(file => readFile(file)));
    const driver = {
      id: 'bench-paced',
      async *devices() {
        yield device;
      },
      open: async () => sessionOf(options, pages),
      async close() {},
    };
    return { drivers: [driver] };
  },
});

function sessionOf(
  { width, height, dpi, sheets, msPerPage, go, log }: PacedOptions,
  pages: readonly Buffer[],
): Session {
  let fed = 0;
  let due = 0;
  return {
    device,
    capabilities: async () => ({
      feeder: { resolutions: [dpi], colorModes: ['Color'], duplex: false, pageSizes: ['A4'], adjustments: [] },
    }),
    status: async () => ({ online: true, paper: fed < sheets && existsSync(go) ? 'loaded' : 'empty' }),
    async *scan(_order, { stop }: ScanCall): AsyncGenerator<Page, void> {
      if (fed >= sheets) throw new ScanError('no-paper', 'The feeder is empty.');
      while (fed < sheets && !stop.aborted) {
        const next = pages[fed % pages.length];
        if (!next) throw new ScanError('driver-failed', 'There are no pages to feed.');
        // A copy: a page's buffer is given away, and a Buffer's own slice() is a view.
        const data = new Uint8Array(next);
        fed++;
        // A motor that runs on: a sheet that is asked for late is there at once, one asked for early takes its time.
        due = Math.max(due + msPerPage, performance.now());
        await wait(Math.max(0, due - performance.now()));
        appendFileSync(log, `${process.hrtime.bigint()}\n`);
        yield { kind: 'raw', sheet: fed, side: 'front', width, height, dpi, pixels: 'rgb24', stride: width * 3, data };
      }
    },
    async close() {},
  };
}

// oxlint-disable-next-line import/no-default-export -- the loader takes a plugin's default export
export default plugin;
