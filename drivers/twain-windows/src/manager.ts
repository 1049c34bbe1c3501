/** TWAIN's manager in a helper: it is opened, it names its sources, and it opens one. */
import type { Log } from '@platen/core/plugin';
import type { Frame } from '@platen/driver-kit';
import { Refusal } from './conditions.js';
import type { Loading } from './culprits.js';
import type { Answer, Arguments, Link } from './link.js';
import type { Deadlines } from './settings.js';
import { numbers } from './states.js';
import { RC } from './triplets.js';

/** TW_IDENTITY of a source. */
export interface Identity {
  readonly manufacturer: string;
  readonly family: string;
  /** What names the source, alone. */
  readonly product: string;
  readonly version: string;
}

export interface Manager {
  /** Opens the manager first where it is not open. @throws Refusal; what the helper failed with: from both */
  sources(): Promise<readonly Identity[]>;
  openSource(product: string): Promise<void>;
}

const us = { manufacturer: 'Platen', family: 'Platen', product: 'Platen', version: '0.1', major: 0, minor: 1, language: 2, country: 1 };

export function createManager(link: Link, deadlines: Deadlines, log: Log, loading: Loading): Manager {
  /** The source file that the manager has loaded last to ask it for its name, while it does. */
  let suspect: string | undefined;

  /** A verb in which the manager may load source files, one after another. */
  async function looking(verb: string, args: Arguments, deadlineMs: number, onFound?: (frame: Frame) => void): Promise<Answer> {
    const loaded = new Set<string>();
    const onMore = (frame: Frame) => {
      const file = frame.header['loads'];
      suspect = typeof file === 'string' ? file : undefined;
      if (suspect === undefined) onFound?.(frame);
      else loaded.add(suspect);
    };
    const answer = await link.ask(verb, args, deadlineMs, { onMore });
    suspect = undefined;
    loading.pardon(loaded);
    return answer;
  }

  async function open(): Promise<void> {
    if (numbers[link.state] >= numbers.managed) return;
    const { rc, cc, header } = await looking('openDsm', { ...us, skip: loading.skip.join('|') }, deadlines.manager);
    if (rc !== RC.SUCCESS) throw new Refusal('OPENDSM', rc, cc);
    log.debug(`TWAIN's manager is ${String(header['dsm'])}, ${header['dsm2'] === true ? 'of version 2' : 'without the services of version 2'}.`);
    link.happened('dsmOpened');
  }

  /** A file that crashes or hangs takes the manager with it, and all its sources: they are looked for once more without it. */
  async function surviving<T>(work: () => Promise<T>): Promise<T> {
    for (;;) {
      try {
        return await work();
      } catch (error) {
        const culprit = suspect;
        suspect = undefined;
        if (link.state !== 'absent' || culprit === undefined || !loading.blame(culprit, error)) throw error;
      }
    }
  }

  return {
    sources: () => surviving(async () => {
      await open();
      const found: Identity[] = [];
      await looking('sources', {}, deadlines.manager, ({ header }) => void found.push(identityOf(header)));
      return found;
    }),
    async openSource(product) {
      const { rc, cc } = await surviving(async () => {
        await open();
        return looking('openSource', { product }, deadlines.open);
      });
      if (rc !== RC.SUCCESS) throw new Refusal('OPENDS', rc, cc);
    },
  };
}

function identityOf(header: Frame['header']): Identity {
  const [manufacturer, family, product, version] = (['manufacturer', 'family', 'product', 'version'] as const).map(field => String(header[field] ?? '').trim());
  // What names the source is given back as it came.
  return { manufacturer: manufacturer!, family: family!, product: String(header['product'] ?? product), version: version! };
}
