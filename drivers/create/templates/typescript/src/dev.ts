/** What `npm run dev` runs this package with: two simulated devices, whose feeders fill up again after each scan. */
// licence: import { readFileSync } from 'node:fs';
import { simulateDevice } from './simulator/device.js';

export default async function dev() {
  const devices = [await simulateDevice({ serial: '1', refill: 3 }), await simulateDevice({ serial: '2', refill: 3 })];
  return {
    // Yours: the options of the package. With a device on your desk: its address, and no simulation.
    options: { devices: devices.map(({ address }) => address) },
    // licence: licence: readFileSync(new URL('../development.licence', import.meta.url), 'utf8').trim(),
    close: () => Promise.all(devices.map(device => device.close())),
  };
}
