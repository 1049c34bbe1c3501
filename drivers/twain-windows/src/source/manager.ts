/** TWAIN's data source manager in a helper: opens it, lists its sources, and opens one. */
import type { Log } from '@platen/core/plugin';
import type { Frame } from '@platen/driver-kit';
import { Refusal } from '../protocol/conditions.js';
import type { Answer, Arguments, Connection } from './connection.js';
import { RC } from '../protocol/constants.js';
import type { LoadGuard } from './quarantine.js';
import type { Deadlines } from '../settings.js';
import { numbers } from '../protocol/states.js';

/** TW_IDENTITY of a source. */
export interface Identity {
  readonly manufacturer: string;
  readonly family: string;
  /** Identifies the source. */
  readonly product: string;
  readonly version: string;
}

/** Both open the manager first if necessary. @throws Refusal, or the helper's error */
export interface Manager {
  sources(): Promise<readonly Identity[]>;
  openSource(product: string): Promise<void>;
}

/** TW_IDENTITY of this application. */
const application = {
  manufacturer: 'Platen',
  family: 'Platen',
  product: 'Platen',
  version: '0.1',
  major: 0,
  minor: 1,
  language: 2,
  country: 1,
};

export function createManager(connection: Connection, deadlines: Deadlines, log: Log, guard: LoadGuard): Manager {
  /** The source file that the manager loaded last, while its code may still run. */
  let suspect: string | undefined;

  /** Calls a verb in which the manager may load source files, one at a time, to ask for their names. */
  async function callLoading(
    verb: string,
    args: Arguments,
    deadlineMs: number,
    onFound?: (frame: Frame) => void,
  ): Promise<Answer> {
    const loaded = new Set<string>();
    const onMore = (frame: Frame) => {
      const file = frame.header['loads'];
      suspect = typeof file === 'string' ? file : undefined;
      if (suspect === undefined) onFound?.(frame);
      else loaded.add(suspect);
    };
    const answer = await connection.call(verb, args, deadlineMs, { onMore });
    suspect = undefined;
    guard.release(loaded);
    return answer;
  }

  async function open(): Promise<void> {
    if (numbers[connection.state] >= numbers.managed) return;
    const args = { ...application, skip: guard.skip.join('|') };
    const { rc, cc, header } = await callLoading('openDsm', args, deadlines.manager);
    if (rc !== RC.SUCCESS) throw new Refusal('OPENDSM', rc, cc);
    const services = header['dsm2'] === true ? 'of version 2' : 'without the services of version 2';
    log.debug(`TWAIN's manager is ${String(header['dsm'])}, ${services}.`);
    connection.transition('dsmOpened');
  }

  /** A file that crashes or hangs ends the manager with all its sources, so `work` is repeated without it. */
  async function skippingBroken<T>(work: () => Promise<T>): Promise<T> {
    for (;;) {
      try {
        return await work();
      } catch (error) {
        const file = suspect;
        suspect = undefined;
        if (connection.state !== 'absent' || file === undefined || !guard.add(file, error)) throw error;
      }
    }
  }

  return {
    sources: () =>
      skippingBroken(async () => {
        await open();
        const found: Identity[] = [];
        await callLoading('sources', {}, deadlines.manager, ({ header }) => void found.push(identityOf(header)));
        return found;
      }),
    async openSource(product) {
      const { rc, cc } = await skippingBroken(async () => {
        await open();
        return callLoading('openSource', { product }, deadlines.open);
      });
      if (rc !== RC.SUCCESS) throw new Refusal('OPENDS', rc, cc);
    },
  };
}

function identityOf(header: Frame['header']): Identity {
  const text = (field: string) => String(header[field] ?? '');
  return {
    manufacturer: text('manufacturer').trim(),
    family: text('family').trim(),
    // Not trimmed: the manager finds the source only by exactly this name.
    product: text('product'),
    version: text('version').trim(),
  };
}
