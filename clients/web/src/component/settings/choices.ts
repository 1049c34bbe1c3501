/** What the person chose for every scanner, remembered for the next visit: values, plugins, and a profile. */
import type { ControlParameters, StartParameters } from '../../client/shapes.js';
import type { Memory } from '../memory.js';
import { detailsIn, offered, offersOf } from './offers.js';
import type { Known, Profiles, Shown } from './parameters.js';
import { stateOf, wishesOf } from './plugins.js';
import { firstValues, serviceDefaults, type PluginWishes, type Values } from './settingValues.js';

export interface Choices {
  /** Also those that the scanner lacks: they apply again to the next scanner. */
  readonly values: Values;
  /** Those that were switched on. */
  readonly plugins: PluginWishes;
  /** Empty: none. One that the service no longer has is none from now on. */
  profileAmong(profiles: Profiles): string;
  /** @param name empty: none */
  chooseProfile(name: string): void;
  set<Name extends keyof Values>(name: Name, value: Values[Name]): void;
  setPlugins(plugins: PluginWishes): void;
}

export function createChoices(memory: Memory): Choices {
  let values: Values = { ...firstValues, ...(memory.recall('settings') as Partial<Values> | undefined) };
  let profile = (memory.recall('profile') as string | undefined) ?? '';
  return {
    get values() {
      return values;
    },
    get plugins() {
      return recalledPlugins(memory.recall('plugins'));
    },
    profileAmong(profiles) {
      if (!Object.hasOwn(profiles, profile)) profile = '';
      return profile;
    },
    chooseProfile(name) {
      profile = name;
      memory.remember('profile', name);
    },
    set(name, value) {
      memory.remember('settings', (values = { ...values, [name]: value }));
    },
    setPlugins: plugins => memory.remember('plugins', plugins),
  };
}

/** Another page of this origin may have stored anything. */
const recalledPlugins = (stored: unknown): PluginWishes =>
  typeof stored === 'object' && stored !== null && !Array.isArray(stored) ? stored : {};

/**
 * The settings that a scanner has at first.
 * @param fixed by the embedder
 * @param start what this scanner's controls had before
 */
export function firstShown(
  { can, profiles }: Known,
  choices: Choices,
  fixed: StartParameters,
  start: ControlParameters,
): Shown {
  const chosen = choices.profileAmong(profiles);
  const profileName = fixed.profile ?? chosen;
  const profile = profiles[profileName] ?? {};
  const isOwn = profileName === '';
  const wanted = isOwn ? choices.values : { ...serviceDefaults, ...given(profile) };
  const values = offered(wanted, offersOf(can));
  const plugins = stateOf(isOwn ? choices.plugins : profile);
  const began = { values, plugins: wishesOf(detailsIn(can), plugins) };
  return { can, profileName, profile, wanted, values, wishes: { ...profile, ...start }, plugins, began };
}

/** The same settings after the plugins changed: what the person chose stays where it is possible. */
export function shownAgain(known: Known, choices: Choices, fixed: StartParameters, before: Shown): Shown {
  const { wishes, wanted, plugins } = before;
  const next = firstShown(known, choices, fixed, wishes);
  const isSame =
    next.profileName === before.profileName && JSON.stringify(next.profile) === JSON.stringify(before.profile);
  return isSame ? { ...next, wishes, wanted, values: offered(wanted, offersOf(next.can)), plugins } : next;
}

/** The profile's values that every scanner has. */
const given = (profile: StartParameters): Partial<Values> =>
  Object.fromEntries(Object.entries(profile).filter(([name]) => Object.hasOwn(serviceDefaults, name)));
