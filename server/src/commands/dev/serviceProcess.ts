/** The process of the service under `platen dev`, from its start to its end. */
import { fileURLToPath } from 'node:url';
import { settledWithin, startChild } from '@platen/core';
import type { DevAnswer, DevSetUp } from './messages.js';

/** The process's own limits are within it. */
const STOP_MS = 10_000;
const child = fileURLToPath(new URL('./child.js', import.meta.url));

export interface ServiceProcess {
  /** Undefined: the process ended before, and said why on standard error. */
  readonly answer: Promise<DevAnswer | undefined>;
  /** Resolves when it has ended, to follow "The service": `ended with code 1`. */
  readonly ended: Promise<string>;
  stop(): Promise<void>;
}

/** Its standard error is this process's. */
export function startServiceProcess(setUp: DevSetUp, env: NodeJS.ProcessEnv): ServiceProcess {
  const running = startChild({
    command: process.execPath,
    args: ['--enable-source-maps', child],
    stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
    cwd: setUp.folder,
    env,
  });
  const own = running.process;
  const answer = new Promise<DevAnswer | undefined>(resolve => {
    own?.once('message', message => resolve(message as DevAnswer));
    void running.ended.then(() => resolve(undefined));
  });
  own?.on('error', () => undefined);
  if (own?.pid !== undefined) own.send(setUp, () => undefined);
  return {
    answer,
    ended: running.ended.then(({ sentence }) => sentence),
    async stop() {
      if (own?.connected) own.disconnect();
      if (!(await settledWithin(running.ended, STOP_MS))) running.kill();
      await running.ended;
    },
  };
}
