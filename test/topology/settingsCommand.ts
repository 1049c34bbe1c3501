/** `platen settings` beside a service, until the test ends. */
import type { Test } from 'tap';
import { platen } from './platen.js';
import type { Fixture } from './topology.js';

/** @returns the address of the page, which ends in its key. @throws Error with what the command says */
export async function runSettings(t: Test, { dataDir }: Fixture): Promise<string> {
  const command = platen(['settings', '--no-open'], { env: { PLATEN_DATA_DIR: dataDir } });
  t.teardown(async () => {
    command.signal('SIGTERM');
    await command.ended;
  });
  let look: NodeJS.Timeout | undefined;
  const printed = new Promise<string>(resolve => {
    look = setInterval(() => {
      const [address] = /^https:\S+\/settings\/#key=\S+$/m.exec(command.out()) ?? [];
      if (address !== undefined) resolve(address);
    }, 10);
  });
  const first = await Promise.race([printed, command.ended]).finally(() => clearInterval(look));
  if (typeof first === 'string') return first;
  throw new Error(`platen settings ended with ${first.code}: ${first.log}${first.out}`);
}
