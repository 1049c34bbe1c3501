/** A process of the benchmark's own that does one task after the other. */
import { fork } from 'node:child_process';
import { availableParallelism } from 'node:os';
import { fileURLToPath } from 'node:url';

export interface Helper<Task extends object, Taking> {
  run(task: Task): Promise<Taking>;
  end(): void;
}

/** @param name of a file beside this one that answers each message with `taking` or `error` */
export function startHelper<Task extends object, Taking>(name: string): Helper<Task, Taking> {
  // As the service has it: encoders work on this pool's threads.
  const threads = String(Math.max(4, availableParallelism() + 2));
  const child = fork(fileURLToPath(new URL(`${name}.js`, import.meta.url)), {
    env: { UV_THREADPOOL_SIZE: threads, ...process.env },
  });
  return {
    run: task =>
      new Promise((resolve, reject) => {
        const gone = (): void => reject(new Error(`The process "${name}" ended.`));
        child.once('exit', gone);
        child.once('message', (message: { taking?: Taking; error?: string }) => {
          child.off('exit', gone);
          if (message.taking === undefined) reject(new Error(message.error));
          else resolve(message.taking);
        });
        child.send(task);
      }),
    end: () => void child.kill(),
  };
}
