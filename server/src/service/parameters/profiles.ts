/** Profiles: parameters that the configuration has under a name. A request's own values go before. */
import { InvalidValue, messageOf, problemSentence, schemaProblems, type SchemaProblem } from '@platen/core';
import { Ajv } from 'ajv';
import { located, type Located } from '../../machine/config/read.js';
import { Type } from '../../machine/schemaType.js';
import { optionsFromStart, StartParameters, type Vocabulary } from './scanParameters.js';
import { ajvOptions } from './validation.js';

const { profile: _, ...properties } = StartParameters.properties;
/** Unlike a request, a profile has no unknown fields, and its words are in the interface's spelling. */
export const Profile = Type.Object(properties, {
  additionalProperties: false,
  title: 'Profile',
  description: 'Parameters of a scan.',
});
export type Profile = Type.Static<typeof Profile>;
export type Profiles = Readonly<Record<string, Profile>>;

interface Given extends Profile {
  readonly profile?: string;
  readonly outputFormat?: string;
}

/**
 * The parameters of a request with those of its profile, where it does not say otherwise.
 * @throws `InvalidValue` for a profile that the configuration does not have
 */
export function withProfile<Parameters extends Given>(given: Parameters | undefined, profiles: Profiles): Parameters {
  const { profile: name, ...own }: Given = given ?? {};
  if (name === undefined) return own as Parameters;
  if (!Object.hasOwn(profiles, name)) {
    const names = Object.keys(profiles);
    const accepts = names.length > 0 ? `one of ${names.join(', ')}` : 'nothing: the configuration has no profiles';
    throw new InvalidValue('profile', accepts, names);
  }
  const { area, ...rest } = profiles[name] ?? {};
  const driverOptions = { ...rest.driverOptions, ...own.driverOptions };
  return {
    ...rest,
    // The page size of the request is not replaced by an area of the profile.
    ...(area && own.pageSize === undefined ? { area } : {}),
    ...own,
    ...(Object.keys(driverOptions).length > 0 ? { driverOptions } : {}),
  } as Parameters;
}

/** The same for `POST /api/twain`, where the format has another name. @throws `InvalidValue` */
export function withDirectProfile<Parameters extends Given>(given: Parameters, profiles: Profiles): Parameters {
  const { imageFormat: _asked, ...own } = given;
  const { imageFormat, ...merged } = withProfile(own as Given, profiles);
  const format = own.outputFormat ?? imageFormat?.toLowerCase();
  return { ...merged, ...(format === undefined ? {} : { outputFormat: format }) } as Parameters;
}

/**
 * The profiles of a configuration, checked as requests are, except for what `checkProfileWords` checks.
 * @param where of the configuration, for the message
 * @throws {ConfigError} with every fault that the schema finds
 */
export function checkedProfiles(profiles: Readonly<Record<string, unknown>>, where: Located): Profiles {
  const names = Object.keys(profiles);
  if (names.length === 0) return {};
  const check = new Ajv({ ...ajvOptions, allErrors: true }).compile(Profile);
  const problems = names.flatMap(name =>
    check(profiles[name]) ? [] : schemaProblems(check.errors ?? [], { root: `profiles.${name}`, words: 'description' }),
  );
  refuse(problems, where);
  return profiles as Profiles;
}

/**
 * Checks the words of plugins in profiles, and fields that belong together.
 * @param profiles checked by `checkedProfiles`
 * @param vocabulary of the loaded plugins
 * @throws {ConfigError} with the first fault of each profile
 */
export function checkProfileWords(profiles: Profiles, where: Located, vocabulary: Vocabulary): void {
  const problems = Object.entries(profiles).flatMap(([name, profile]): SchemaProblem[] => {
    try {
      optionsFromStart(profile, vocabulary);
      return [];
    } catch (error) {
      if (!(error instanceof InvalidValue)) throw error;
      const { field, accepts, allowed } = error;
      // Requests cannot have their default either: not a fault of the profile.
      if (field === 'imageFormat' && profile.imageFormat === undefined) return [];
      const path = `profiles.${name}.${field}`;
      return [{ path, code: 'invalid-value', accepts, rule: `takes ${accepts}`, ...(allowed && { allowed }) }];
    }
  });
  refuse(problems, where);
}

/**
 * Those whose words the loaded plugins know: a plugin that is switched off takes no other profile away.
 * @param told gets a sentence for each of the others
 */
export function usableProfiles(
  profiles: Profiles,
  where: Located,
  vocabulary: Vocabulary,
  told: (fault: string) => void,
): Profiles {
  const usable = Object.entries(profiles).filter(([name, profile]) => {
    try {
      checkProfileWords({ [name]: profile }, where, vocabulary);
      return true;
    } catch (error) {
      told(`${messageOf(error)} The profile ${JSON.stringify(name)} is left out.`);
      return false;
    }
  });
  return Object.fromEntries(usable);
}

function refuse(problems: readonly SchemaProblem[], where: Located): void {
  if (problems.length > 0) throw located(problems, where, problemSentence);
}
