/** Traces of scanners, one file of `fixtures/traces` each, as `platen trace` wrote it: the driver does the same again. */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { readTraces, replayTrace } from '@platen/conformance';
import { nullLog } from '@platen/core/plugin';
import t from 'tap';
import { esclDriver } from './driver.js';
import { optionsWith, quick } from './rig.test.kit.js';
import { startTraceReplay } from './testing/traceReplay.js';

for (const trace of await readTraces(new URL('../fixtures/traces/', import.meta.url))) {
  t.test(trace.name, async t => {
    const dataDir = await mkdtemp(join(tmpdir(), 'escl-'));
    const replay = await startTraceReplay(trace.lines);
    const feeding =
      trace.lines.find(({ did }) => did === 'open')?.['feeding'] === 'perSheet' ? 'perSheet' : 'continuous';
    const driver = esclDriver({
      options: optionsWith({ devices: [replay.url], feeding }),
      log: nullLog,
      dataDir,
      // Only a trace in which the device is silent takes as long.
      deadlines: { ...quick, answer: 10_000, status: 5000, silence: 10_000 },
    });
    t.teardown(async () => {
      await driver.close();
      await replay.close();
      await rm(dataDir, { recursive: true });
    });
    const { before, now } = await replayTrace(trace, driver, replay.url);
    t.strictSame(now, before);
    // A device that went offline is looked for in the background, until the driver is closed.
    const inTurn = (asked: readonly string[]) => asked.filter(each => !each.endsWith('/ScannerCapabilities'));
    t.strictSame(inTurn(replay.now), inTurn(replay.before));
  });
}
