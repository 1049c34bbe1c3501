/** Two simulated devices to develop with: `npm run simulator`. */
import { simulateDevice } from './device.js';

for (const [index, port] of [8801, 8802].entries()) {
  const device = await simulateDevice({ serial: String(index + 1), port });
  device.load(3);
  console.log(`Acme F100 ${index + 1}: ${device.address}, with 3 sheets in its feeder`);
}
