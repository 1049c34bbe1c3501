/** A plugin's process that the system does not start. */
import { nullLog, systemClock } from '@platen/core';
import t from 'tap';
import { ProcessError, startProcess } from './pluginProcess.js';

t.test("startProcess: the system rejects the call, the error has the system's message", async t => {
  const entry = { use: 'a\0b', enabled: true, required: false };
  const start = () => startProcess({ setUp: { entry, folders: [], dataDir: '' }, log: nullLog, clock: systemClock });
  t.throws(start, { constructor: ProcessError, message: /^it cannot be started: .*null bytes/ });
});
