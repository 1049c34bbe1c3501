/** A page in the flow with the plugins and the request of a test. */
import { fakeFormat, testPage } from '@platen/conformance';
import type { Device } from '../contract/driver.js';
import type { RawPage } from '../contract/page.js';
import type { Contributions } from '../contract/plugin.js';
import type { CustomProcessor } from '../contract/processor.js';
import type { CustomRecogniser } from '../contract/recogniser.js';
import { withReaders } from '../registry/asked.js';
import { createRegistry } from '../registry/registry.js';
import { optionsWith } from '../service.test.kit.js';
import { finishPage, type FinishedPage } from './finish.js';
import type { ScanNote } from './notes.js';
import { planScan } from './plan.js';
import type { ScanOptions } from './scanOptions.js';

const wishes = {
  type: 'object',
  properties: { least: { type: 'integer', minimum: 1, default: 2 }, ink: { enum: ['blue', 'red'] } },
  additionalProperties: false,
};

/** Finds how dark the first pixel is, and what it was asked. */
export const stamp: CustomRecogniser = {
  kind: 'stamp',
  wishes,
  read: async ({ data }, asked) => ({ first: data[0], asked }),
};

/** Adds to each byte, so that order is seen. */
export const adding = (
  name: string,
  amount: (options: Readonly<Record<string, unknown>>) => number,
): CustomProcessor => ({
  name,
  options: { type: 'object', properties: { by: { type: 'integer', default: 1 } } },
  async apply(page, options) {
    return { page: { ...page, data: page.data.map(value => (value * 2 + amount(options)) % 256) }, applied: true };
  },
});
export const byOption = ({ by }: Readonly<Record<string, unknown>>): number => Number(by);

export const page: RawPage = {
  ...testPage({ width: 4, height: 4, pixels: 'gray8' }),
  data: new Uint8Array(16).fill(10),
};
const device: Device = {
  id: '1',
  name: 'A',
  manufacturer: '',
  model: '',
  online: true,
  feeder: true,
  flatbed: false,
  feeding: 'perSheet',
  duplex: false,
};
const source = {
  resolutions: [200],
  colorModes: ['Grayscale'],
  duplex: false,
  pageSizes: ['A4'],
  adjustments: [],
} as const;

export function setUp(contributions: Contributions, options: Partial<ScanOptions>) {
  const registry = createRegistry();
  registry.add('@acme/all', { formats: [fakeFormat({ name: 'Png' })], ...contributions });
  const notes: ScanNote[] = [];
  const note = (each: ScanNote): void => void notes.push(each);
  const software = withReaders(registry, options.readers);
  const given = optionsWith({ pageSize: 'A4', report: true, ...options });
  const capabilities = { feeder: source };
  const plan = planScan({ device, capabilities, paper: 'loaded', options: given, software, maxPixels: 1e9, note });
  const finish = (): Promise<FinishedPage> =>
    finishPage(page, 1, { plan, software, note, driver: 'fake', call: { signal: new AbortController().signal } });
  return { registry, finish, notes };
}
