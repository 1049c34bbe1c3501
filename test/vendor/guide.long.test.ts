/** The guide for drivers, followed. */
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import t from 'tap';
import { follow } from './followGuide.js';

/** What the scaffold exports to its own suites. */
interface Simulator {
  simulateDevice(wishes: { serial: string; refill: number }): Promise<{ address: string; close(): Promise<void> }>;
}

await t.test('write-a-driver.md: from an empty folder to a scan at a customer’s', { timeout: 900_000 }, t =>
  follow(t, {
    page: 'write-a-driver.md',
    scanner: 'Acme F100 7',
    sheets: 2,
    async start(vendor) {
      const { href } = pathToFileURL(join(vendor, 'dist', 'simulator', 'device.js'));
      return ((await import(href)) as Simulator).simulateDevice({ serial: '7', refill: 2 });
    },
    own: ['src', 'dist/simulator'],
  }),
);
