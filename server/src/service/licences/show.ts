/** What a licence holds, in lines for people, and whether it is valid here and now. */
import { resolve } from 'node:path';
import { messageOf, resolvePlugin, systemClock, type Clock } from '@platen/core';
import { ConfigError } from '../../machine/configError.js';
import { createEntitle, dayOf, isToken, tokenIn } from './licence.js';
import { machineId, type MachineId } from './machineId.js';

export interface ShowOptions {
  /** The base of a relative path. */
  readonly cwd: string;
  /** In PEM. */
  readonly publicKey: string | undefined;
  /** The folder of the plugin's package, absolute: its key and its name are used. */
  readonly plugin: string | undefined;
  readonly clock?: Clock;
  readonly machine?: MachineId;
}

export interface Shown {
  readonly lines: readonly string[];
  readonly isValid: boolean;
}

/** @param licence a token, or the path of a file that holds one @throws {ConfigError} if it is neither */
export async function showLicence(licence: string, options: ShowOptions): Promise<Shown> {
  const { cwd, clock = systemClock, machine = machineId } = options;
  const claims = await claimsOf(licence, cwd);
  const lines = describe(claims, await machine());
  const key = await keyFor(options, claims);
  const reasons =
    key === undefined
      ? unsigned(claims, clock, await machine())
      : await createEntitle(
          cwd,
          clock,
          machine,
        )({ ...key, licence }).then(
          () => [],
          (error: unknown) => [`${messageOf(error)}.`],
        );
  const verdict = reasons.length > 0 ? `Not valid: ${reasons.join(' ')}` : 'Valid here and now.';
  const unchecked =
    "The signature was not checked: pass the vendor's public key (--public-key FILE) or the plugin (--plugin FOLDER).";
  return {
    lines: [...lines, verdict, ...(key === undefined ? [unchecked] : [])],
    isValid: reasons.length === 0,
  };
}

interface Claims {
  readonly aud?: unknown;
  readonly sub?: unknown;
  readonly exp?: unknown;
  readonly nbf?: unknown;
  readonly iat?: unknown;
  readonly machine?: unknown;
  readonly seats?: unknown;
  readonly trial?: unknown;
  readonly grace?: unknown;
}

async function claimsOf(licence: string, cwd: string): Promise<Claims> {
  try {
    const token = isToken(licence) ? licence.trim() : await tokenIn(resolve(cwd, licence));
    const { decodeJwt } = await import('jose');
    return decodeJwt(token);
  } catch (error) {
    throw new ConfigError(`${messageOf(error)}.`, { code: 'usage', cause: error });
  }
}

function describe(
  { aud, sub, exp, nbf, iat, machine, seats, trial, grace }: Claims,
  own: string | undefined,
): string[] {
  const line = (name: string, value: unknown): string[] =>
    value === undefined ? [] : [`${`${name}:`.padEnd(12)}${String(value)}`];
  const day = (seconds: unknown): string | undefined =>
    seconds === undefined ? undefined : `${dayOf(Number(seconds))} (UTC)`;
  const machines = machine === undefined ? undefined : [machine].flat().map(String);
  return [
    ...line('Plugin', aud === undefined ? undefined : [aud].flat().join(', ')),
    ...line('Customer', sub),
    ...line('Signed', day(iat)),
    ...line('From', day(nbf)),
    ...line('Until', day(exp)),
    ...line('Grace', grace === undefined ? undefined : `${String(grace)} days`),
    ...line('Trial', trial === true ? 'yes' : undefined),
    ...line('Seats', seats === undefined ? undefined : `${String(seats)} (not enforced)`),
    ...line('Computers', machines?.map(id => (id === own ? `${id} (this one)` : id)).join(', ')),
  ];
}

async function keyFor(
  { publicKey, plugin }: ShowOptions,
  { aud }: Claims,
): Promise<{ readonly plugin: string; readonly publicKeys: readonly string[] } | undefined> {
  if (publicKey !== undefined) return { plugin: String([aud].flat()[0]), publicKeys: [publicKey] };
  if (plugin === undefined) return undefined;
  const found = await resolvePlugin(plugin, [plugin]);
  const module =
    found && ((await import(found.url)) as { default?: { name?: unknown; premium?: { publicKey?: unknown } } });
  const { name, premium } = module?.default ?? {};
  const publicKeys = [premium?.publicKey].flat().filter(key => typeof key === 'string');
  if (typeof name !== 'string') throw new ConfigError(`${plugin} is not the folder of a plugin.`, { code: 'usage' });
  if (publicKeys.length === 0)
    throw new ConfigError(`The plugin "${name}" is not premium: it takes no licence.`, { code: 'usage' });
  return { plugin: name, publicKeys };
}

/** What can be said without the key. */
function unsigned({ exp, nbf, machine }: Claims, clock: Clock, own: string | undefined): string[] {
  const now = clock.now() / 1000;
  return [
    ...(typeof exp === 'number' && exp > now ? [] : [`it ended on ${dayOf(Number(exp))}.`]),
    ...(typeof nbf === 'number' && nbf > now ? [`it begins on ${dayOf(nbf)}.`] : []),
    ...(machine === undefined || (own !== undefined && [machine].flat().includes(own))
      ? []
      : ['it is for other computers.']),
  ];
}
