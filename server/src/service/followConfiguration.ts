/** Takes over the configuration when its files change, when a command asks for it, and after SIGHUP. */
import { dirname, join } from 'node:path';
import { messageOf, type Log } from '@platen/core';
import { ConfigError } from '../machine/configError.js';
import { fixedPlace } from '../machine/config/fixed.js';
import { confFolder, type Located } from '../machine/config/read.js';
import type { Config } from '../machine/config/schema.js';
import { watchFiles } from '../machine/config/watch.js';
import { answerReload, ASKED, askedReload, type ReloadAnswer } from '../machine/dataFolder/reloadRequest.js';
import { vetCode } from '../machine/rights/codeAccess.js';
import { onHangUp } from '../machine/ending.js';
import { licenceFolders } from './licences/licence.js';

export interface Following {
  readonly config: Config & Located;
  readonly dataDir: string;
  readonly log: Log;
  /** @throws {ConfigError} */
  read(): Promise<Config & Located>;
}

/** @throws {ConfigError} */
type Reload = (config: Config & Located) => Promise<ReloadAnswer>;

export interface FollowedConfiguration {
  /** From now on, changes are taken over; also those since the configuration was read. */
  start(reload: Reload): void;
  /** Takes over what is in the files now. */
  now(): Promise<ReloadAnswer>;
  end(): void;
}

/** Call it right after the configuration was read: what changes while the service starts is not missed. */
export async function followConfiguration({ config, dataDir, log, read }: Following): Promise<FollowedConfiguration> {
  let files = config.files ?? [config.file];
  let running: Promise<void> | undefined;
  let again = false;
  let reload: Reload | undefined;
  let answered = await askedReload(dataDir);
  let waiting: ((answer: ReloadAnswer) => void)[] = [];

  /** One at a time; what is asked for meanwhile is one more. */
  const soon = (): void => {
    again = true;
    if (!reload) return;
    const act = reload;
    running ??= (async () => {
      while (again) {
        again = false;
        await once(act);
      }
      running = undefined;
    })();
  };

  async function once(act: Reload): Promise<void> {
    const id = await askedReload(dataDir);
    const told = waiting;
    waiting = [];
    const answer = await takeOver(act);
    for (const tell of told) tell(answer);
    if (id === undefined || id === answered) return;
    answered = id;
    await answerReload(dataDir, id, answer).catch((error: unknown) => log.warn(messageOf(error)));
  }

  async function takeOver(act: Reload): Promise<ReloadAnswer> {
    try {
      const next = await read();
      files = next.files ?? [next.file];
      // On Windows, who may write the files is asked here, and not when they are read.
      await vetCode({ configFiles: files, warn: log.warn })([]);
      return await act(next);
    } catch (error) {
      const why = error instanceof ConfigError ? error.message : `It failed: ${messageOf(error)}`;
      const fault = `The configuration was not taken over, and the service goes on as it was. ${why}`;
      log.error(fault);
      return { changes: [], faults: [fault] };
    }
  }

  const conf = confFolder(config.file, dataDir);
  const own = [join(dataDir, ASKED), ...licenceFolders(dirname(config.file), dataDir)];
  const policies = fixedPlace.platform === 'win32' ? [] : [fixedPlace.file];
  const endWatch = await watchFiles({
    paths: () => [...files, ...(conf === undefined ? [] : [conf]), ...own, ...policies],
    changed: soon,
    unseen: (folder, error) =>
      log.warn(`Changes in ${folder} are not seen (${messageOf(error)}). After one, run "platen service reload".`),
  });
  let endHangUp = (): void => undefined;
  return {
    start(act) {
      reload = act;
      endHangUp = onHangUp(soon);
      if (again) soon();
    },
    now() {
      const answer = new Promise<ReloadAnswer>(resolve => waiting.push(resolve));
      soon();
      return answer;
    },
    end() {
      endWatch();
      endHangUp();
    },
  };
}
