/** Traces of scanners, one file of `fixtures/traces` each, as `platen trace` wrote it: the driver does the same again. */
import { readTraces, replayTrace } from '@platen/conformance';
import { nullLog } from '@platen/core/plugin';
import { replayedHelpers } from '@platen/driver-kit';
import t from 'tap';
import { icaDriver } from './driver.js';

for (const trace of await readTraces(new URL('../fixtures/traces/', import.meta.url))) {
  t.test(trace.name, async t => {
    const helpers = replayedHelpers(trace.lines);
    const driver = icaDriver({
      options: { transfer: 'memory', network: trace.head.options['network'] === true, silenceSeconds: 60 },
      log: nullLog,
      createHelper: () => helpers.create(),
    });
    t.teardown(() => driver.close());
    // The plugin does, when it is loaded; the simulated one does not.
    if (trace.lines[0]?.to) await driver.check();
    const { before, now } = await replayTrace(trace, driver);
    t.strictSame(now, before);
    t.strictSame(helpers.left(), []);
  });
}
