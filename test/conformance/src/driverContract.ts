/** The published suite of the driver contract: who passes it keeps the promises that can be seen from outside. */
import { runCases, type ContractCase, type ContractTest, type Suite } from './contractTest.js';
import { abandoningCases } from './driverCases/abandoningCases.js';
import { bufferCases } from './driverCases/bufferCases.js';
import { areaCases } from './driverCases/areaCases.js';
import { controlCases } from './driverCases/controlCases.js';
import { deviceCases } from './driverCases/deviceCases.js';
import { failureCases } from './driverCases/failureCases.js';
import { feedingCases } from './driverCases/feedingCases.js';
import { importCases } from './driverCases/importCases.js';
import { memoryCases } from './driverCases/memoryCases.js';
import { openCases } from './driverCases/openCases.js';
import { optionCases } from './driverCases/optionCases.js';
import { paperCases } from './driverCases/paperCases.js';
import { restraintCases } from './driverCases/restraintCases.js';
import { secondCases } from './driverCases/secondCases.js';
import { sessionCases } from './driverCases/sessionCases.js';
import { speedCases } from './driverCases/speedCases.js';
import { stateCases } from './driverCases/stateCases.js';
import { stoppingCases } from './driverCases/stoppingCases.js';
import { truthCases } from './driverCases/truthCases.js';
import { unplugCases } from './driverCases/unplugCases.js';
import type { DriverFeatures, DriverRig } from './driverRig.js';

/** Every case; an id begins with the number of the promise in `contract/driver.ts` that it holds the driver to. */
export const driverCases: readonly ContractCase<DriverRig, DriverFeatures>[] = [
  ...deviceCases,
  ...sessionCases,
  ...stateCases,
  ...feedingCases,
  ...stoppingCases,
  ...abandoningCases,
  ...paperCases,
  ...truthCases,
  ...bufferCases,
  ...importCases,
  ...restraintCases,
  ...failureCases,
  ...controlCases,
  ...areaCases,
  ...optionCases,
  ...secondCases,
  ...unplugCases,
  ...openCases,
  ...memoryCases,
  ...speedCases,
];

/**
 * Runs every case over a driver. `suite.make` returns a new driver with a device that is closed, whose feeder is
 * empty and holds twenty sheets; the suite closes the driver, `dispose` cleans up what else there is.
 * No case times a driver: a wait ends with a failure after `features.timeoutMs`.
 */
export function driverContract(t: ContractTest, suite: Suite<DriverRig, DriverFeatures>): Promise<void> {
  return runCases(t, driverCases, suite);
}
