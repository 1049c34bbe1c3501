/** The process of `platen dev`: a service with the package as it is now. It ends with the process that started it. */
import { once } from 'node:events';
import { messageOf, settledWithin } from '@platen/core';
import { leave, reportEndTo, watchEnding } from '../../machine/ending.js';
import { createLogger, failureLog, standardError } from '../../machine/log/log.js';
import { printableLines } from '../../machine/printable.js';
import { devPlanOf, type DevPlan } from './devModule.js';
import { startDevService, type DevService } from './devService.js';
import type { DevAnswer, DevSetUp } from './messages.js';
import { tellError } from './tellError.js';

/** How long the plugin and the development module may take to close, each. */
const CLOSE_MS = 3000;
const FAILURE = 1;
/** Frames of a stack: enough to reach the author's below those of libraries. */
const STACK_FRAMES = 30;

Error.stackTraceLimit = STACK_FRAMES;
watchEnding();
const logger = createLogger('info', standardError(true));
reportEndTo(failureLog(logger, 'service'));

const answer = (what: DevAnswer): Promise<void> =>
  new Promise(resolve => {
    if (process.connected) process.send!(what, () => resolve());
    else resolve();
  });

let plan: DevPlan = {};
let service: DevService | undefined;

async function start(setUp: DevSetUp): Promise<DevAnswer> {
  if (setUp.devModule !== undefined) {
    try {
      plan = await devPlanOf(setUp.devModule);
    } catch (error) {
      logger.child({ part: 'dev' }).error(`The development module failed: ${messageOf(error).split('\n')[0]}`);
      await tellError(error, setUp.devModule);
      return { failed: true, isPlugin: true };
    }
  }
  const found = await startDevService({
    ...setUp,
    options: { ...plan.options, ...setUp.options },
    licence: setUp.licence ?? plan.licence,
    logger,
  });
  if (!('service' in found)) {
    if (found.error !== undefined) await tellError(found.error, setUp.entry);
    return { failed: true, isPlugin: found.isPlugin };
  }
  ({ service } = found);
  return { port: service.port, provides: service.provides };
}

async function stop(): Promise<never> {
  try {
    await service?.close();
  } catch (error) {
    process.stderr.write(`${printableLines(String((error as Error).stack ?? error))}\n`);
  }
  const closing = (async () => plan.close?.())().catch((error: unknown) =>
    process.stderr.write(`The development module failed to close: ${messageOf(error)}\n`),
  );
  if (!(await settledWithin(closing, CLOSE_MS)))
    process.stderr.write(`The development module did not close within ${CLOSE_MS / 1000} s.\n`);
  return leave(0);
}

// Ctrl-C reaches this process, too: the other one closes the channel when it is time.
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => undefined);
const disconnected = once(process, 'disconnect');
const [setUp] = (await once(process, 'message')) as [DevSetUp];
try {
  const started = await start(setUp);
  await answer(started);
  if (!('failed' in started)) await disconnected;
  await stop();
} catch (error) {
  logger.child({ part: 'service' }).error(messageOf(error));
  await answer({ failed: true, isPlugin: true });
  leave(FAILURE);
}
