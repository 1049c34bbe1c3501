/** Traces of scanners, one file of `fixtures/traces` each, as `platen trace` wrote it: the driver does the same again. */
import { readTraces, replayTrace } from '@platen/conformance';
import { nullLog } from '@platen/core/plugin';
import { replayedHelpers } from '@platen/driver-kit';
import t from 'tap';
import { saneDriver } from './driver.js';

for (const trace of await readTraces(new URL('../fixtures/traces/', import.meta.url))) {
  t.test(trace.name, async t => {
    const helpers = replayedHelpers(trace.lines);
    const localOnly = trace.head.options['localOnly'] === true;
    const driver = saneDriver({
      options: { localOnly, silenceSeconds: 60 },
      log: nullLog,
      createHelper: () => helpers.create(),
    });
    t.teardown(() => driver.close());
    // As the plugin does when it is loaded.
    await driver.check();
    const { before, now } = await replayTrace(trace, driver);
    t.strictSame(now, before);
    t.strictSame(helpers.left(), []);
  });
}
