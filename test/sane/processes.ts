/** The helpers of a service: processes of their own, which must not outlive it. */
import { readdir, readFile } from 'node:fs/promises';

const text = (path: string): Promise<string> => readFile(path, 'utf8').catch(() => '');

/** State and parent of proc(5); empty for a process that is not there. */
async function stat(pid: number): Promise<string[]> {
  const line = await text(`/proc/${pid}/stat`);
  return line.slice(line.lastIndexOf(')') + 2).split(' ');
}

/** Processes of the driver's helper that this service has started. */
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

/** When the process's first thread waits, and for nothing that comes by itself. */
export async function untilStuck(pid: number): Promise<void> {
  const switches = async (): Promise<string | undefined> =>
    /^voluntary_ctxt_switches:.*$/m.exec(await text(`/proc/${pid}/task/${pid}/status`))?.[0];
  for (let before: string | undefined; before === undefined || before !== (await switches());) {
    before = await switches();
    await new Promise(resolve => setTimeout(resolve, 1000));
  }
}

/** One that has ended counts as gone, whoever has yet to hear of it. */
export async function isGone(pid: number): Promise<boolean> {
  const [state] = await stat(pid);
  return state === undefined || state === '' || state === 'Z';
}
