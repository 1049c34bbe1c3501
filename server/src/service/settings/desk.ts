/** The settings of plugins, for the page and the command that change them. */
import { createHash } from 'node:crypto';
import {
  messageOf,
  settledWithin,
  type Clock,
  type Contribution,
  type Found,
  type PluginReport,
  type Plugins,
} from '@platen/core';
import { ownEntries, ownFile, ownName, readOwn } from '../../machine/config/ownFile.js';
import { readConfig } from '../../machine/config/read.js';
import { HttpError } from '../http/errors.js';
import { propose, type Change, type Difference, type Problem } from './proposal.js';
import { withMarks, withSecretsNamed } from './secrets.js';
import { createSession, type Session } from './session.js';

/** A plugin of the configuration, with what a form needs. */
export interface PluginSettings {
  readonly use: string;
  readonly enabled: boolean;
  readonly state: PluginReport['state'];
  readonly version?: string;
  /** What a person should know of it: why it is not loaded, or what it lacks. */
  readonly sentence?: string;
  readonly provides: readonly Contribution[];
  /** Whether it can look for what its options name. */
  readonly finds: boolean;
  /** `writeOnly` at each secret, also at one by its name. Absent: it takes no options, or its code was not loaded. */
  readonly optionsSchema?: object;
  /** What holds, without secrets: see `secrets.ts`. */
  readonly options: Readonly<Record<string, unknown>>;
  /** Names of the options that the settings' own file has; `enabled` stands for the switch. */
  readonly own: readonly string[];
  /** The same for those that a policy fixes. */
  readonly fixed: readonly string[];
}

export interface SettingsState {
  /** That is written. */
  readonly file: string;
  readonly plugins: readonly PluginSettings[];
}

export interface Preview {
  readonly differences: readonly Difference[];
  readonly problems: readonly Problem[];
  /** Of what was there and what would be: `save` wants it. */
  readonly digest: string;
}

/** One sentence each. */
export interface Saved {
  readonly changes: readonly string[];
  readonly faults: readonly string[];
}

export interface SettingsDesk {
  /** Of the command; undefined: this service has no settings to change. */
  readonly token: string | undefined;
  readonly session: Session;
  state(): Promise<SettingsState>;
  /** @throws HttpError `bad-request`, as does `save` */
  preview(changes: readonly Change[]): Promise<Preview>;
  /** Writes it, and has the service take it over. @param digest of the preview that the person saw */
  save(changes: readonly Change[], digest: string): Promise<Saved>;
  /** @throws HttpError `bad-request` with the plugin's sentence */
  find(use: string, gone: AbortSignal): Promise<readonly Found[]>;
  /** @param now has the service take over what is in its files */
  takesOverWith(now: () => Promise<Saved>): void;
}

export interface SettingsDeskParts {
  readonly token: string | undefined;
  readonly configFile: string;
  readonly dataDir: string;
  readonly clock: Clock;
  readonly plugins: Pick<Plugins, 'reports'> & Partial<Pick<Plugins, 'find'>>;
}

/** A driver's change waits for the scan that runs: the person does not. */
const PATIENCE_MS = 8000;

export function createSettingsDesk(parts: SettingsDeskParts): SettingsDesk {
  const { token, configFile, dataDir, clock, plugins } = parts;
  const session = createSession(clock);
  let takeOver = (): Promise<Saved> => Promise.resolve({ changes: [], faults: [] });

  async function proposed(changes: readonly Change[]) {
    const proposal = await propose(changes, { configFile, dataDir, reports: plugins.reports });
    const { file, text, differences, problems } = proposal;
    const digest = createHash('sha256')
      .update(`${(await readOwn(file)) ?? ''}\0${text}\0${JSON.stringify(differences)}`)
      .digest('hex');
    return { ...proposal, preview: { differences, problems, digest } };
  }

  return {
    token,
    session,
    async state() {
      const file = ownFile(configFile, dataDir);
      const own = ownEntries(await readOwn(file), file);
      const config = await readConfig(configFile, dataDir);
      const isFixed = (at: number, ...path: readonly string[]): boolean =>
        config.sourceOf(['plugins', at, ...path], true)?.isFixed === true;
      return {
        file,
        plugins: config.plugins.map(({ use, enabled, options = {} }, at): PluginSettings => {
          const report = plugins.reports.find(each => each.use === use);
          const {
            state = 'disabled',
            version,
            provides = [],
            declares = [],
            optionsSchema,
            finds = false,
          } = report ?? {};
          const sentence = report?.stale ?? report?.lacks ?? (state === 'disabled' ? undefined : report?.sentence);
          const mine = own.get(ownName(use, configFile));
          const names = Object.keys((optionsSchema as { properties?: object } | undefined)?.properties ?? options);
          return {
            ...{ use, enabled, state, finds },
            ...(version === undefined ? {} : { version }),
            ...(sentence === undefined ? {} : { sentence }),
            provides: provides.length > 0 ? provides : declares,
            ...(optionsSchema ? { optionsSchema: withSecretsNamed(optionsSchema) } : {}),
            // Without the schema, nobody knows which of them are secrets.
            options: optionsSchema ? withMarks(options, optionsSchema) : {},
            own: [...(mine?.enabled === undefined ? [] : ['enabled']), ...Object.keys(mine?.options ?? {})],
            fixed: [
              ...(isFixed(at, 'enabled') ? ['enabled'] : []),
              ...names.filter(name => isFixed(at, 'options', name)),
            ],
          };
        }),
      };
    },
    preview: async changes => (await proposed(changes)).preview,
    async save(changes, digest) {
      const { text, isSecret, preview } = await proposed(changes);
      const [problem] = preview.problems;
      if (problem) throw new HttpError('bad-request', `${problem.use}: ${problem.sentence}`);
      if (preview.digest !== digest)
        throw new HttpError('bad-request', 'The configuration was changed meanwhile. Look at the changes again.');
      const { fault } = await session.write({ text, isSecret });
      if (fault !== undefined) throw new HttpError('bad-request', fault);
      const taking = takeOver();
      const isTaken = await settledWithin(taking, PATIENCE_MS, clock);
      return isTaken ? taking : { changes: ['It is saved, and counts when the running scan has ended.'], faults: [] };
    },
    takesOverWith: now => void (takeOver = now),
    async find(use, gone) {
      try {
        return (await plugins.find?.(use, gone)) ?? [];
      } catch (error) {
        throw new HttpError('bad-request', messageOf(error));
      }
    },
  };
}
