/** Simulated scanners: native/simulation/acme_sdk.c reads the files that are written here. For development only. */
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** A status of the SDK; `HANG`: a call never returns; `CRASH`: the SDK crashes; `TORN`: the page ends in its middle. */
export type Fault = `ACME_${string}` | 'HANG' | 'CRASH' | 'TORN';

export interface SimulatedScanner {
  readonly id: string;
  load(sheets: number): Promise<void>;
  remaining(): Promise<number>;
  /** Meets the fault at this sheet of a scan, 1-based. */
  fault(sheet: number, fault: Fault): Promise<void>;
  clearFaults(): Promise<void>;
  /** Pulls the cable. */
  unplug(): Promise<void>;
  plug(): Promise<void>;
}

export interface Simulation {
  /** For the process of the helper. */
  readonly env: { readonly ACME_SIMULATION: string };
  /** @param refill somebody fills the feeder up with so many sheets when it is empty */
  add(id: string, refill?: number): Promise<SimulatedScanner>;
  close(): Promise<void>;
}

export async function simulate(): Promise<Simulation> {
  const root = await mkdtemp(join(tmpdir(), 'acme-f100-'));
  return {
    env: { ACME_SIMULATION: root },
    async add(id, refill = 0) {
      const file = (name: string) => join(root, id, name);
      const write = (name: string, text: string | number) => writeFile(file(name), String(text));
      const remove = (name: string) => rm(file(name), { force: true });
      const remaining = async () => Number(await readFile(file('sheets'), 'utf8'));
      await mkdir(join(root, id));
      await write('refill', refill);
      await write('sheets', refill);
      return {
        id,
        remaining,
        load: async sheets => write('sheets', (await remaining()) + sheets),
        fault: (sheet, fault) => write('fault', `${sheet} ${fault}`),
        clearFaults: () => remove('fault'),
        unplug: () => write('unplugged', ''),
        plug: () => remove('unplugged'),
      };
    },
    close: () => rm(root, { recursive: true, force: true, maxRetries: 5 }),
  };
}
