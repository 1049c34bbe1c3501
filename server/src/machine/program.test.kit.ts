/** The command line as tests start it: from the clone's bundle while that is current, which starts in half the time. */
import { fileURLToPath } from 'node:url';

interface ServiceBundle {
  readonly condition: string;
  isServiceBundled(): boolean;
}

const setup = new URL('../../../setup/serviceBundle.mjs', import.meta.url).href;
const { condition, isServiceBundled } = (await import(setup)) as ServiceBundle;
const program = fileURLToPath(new URL('../../bin/platen.cjs', import.meta.url));

/** Node's arguments before those of `platen`. */
export const platenArgs: readonly string[] = [...(isServiceBundled() ? [`--conditions=${condition}`] : []), program];
