/** The helper processes of a service, which must not outlive it. */
import { readdir, readFile } from 'node:fs/promises';

const text = (path: string): Promise<string> => readFile(path, 'utf8').catch(() => '');

/** State and parent from proc(5); empty if the process does not exist. */
async function stat(pid: number): Promise<string[]> {
  const line = await text(`/proc/${pid}/stat`);
  return line.slice(line.lastIndexOf(')') + 2).split(' ');
}

/** The helper processes of the driver that this service started. */
export async function helpersOf(service: number): Promise<number[]> {
  const pids = (await readdir('/proc')).filter(name => /^\d+$/.test(name)).map(Number);
  const found = await Promise.all(
    pids.map(async pid => {
      const [state, parent] = await stat(pid);
      return (
        parent === String(service) &&
        state !== 'Z' &&
        (await text(`/proc/${pid}/cmdline`)).includes('platen-sane-helper')
      );
    }),
  );
  return pids.filter((_, at) => found[at]);
}

/** Resolves when the process's first thread is blocked for good. */
export async function untilStuck(pid: number): Promise<void> {
  const switches = async (): Promise<string | undefined> =>
    /^voluntary_ctxt_switches:.*$/m.exec(await text(`/proc/${pid}/task/${pid}/status`))?.[0];
  for (let before: string | undefined; before === undefined || before !== (await switches());) {
    before = await switches();
    await new Promise(resolve => setTimeout(resolve, 1000));
  }
}

/** Whether the process has ended; a zombie has. */
export async function isGone(pid: number): Promise<boolean> {
  const [state] = await stat(pid);
  return state === undefined || state === '' || state === 'Z';
}
