/**
 * Checks the licence of a premium plugin, offline: a token signed by the plugin's vendor, checked with the plugin's
 * public key. Without a premium plugin, the library for tokens is not loaded.
 */
import { readdir, readFile, stat } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { endOf, LicenceError, messageOf, systemClock, type Clock, type Entitle, type Entitlement } from '@platen/core';
import type { CryptoKey, JWTPayload } from 'jose';
import { systemCode } from '../../machine/configError.js';
import { machineId, type MachineId } from './machineId.js';

/** The `typ` of a licence's header: no other token that a vendor signs with the key is a licence. */
export const LICENCE_TYPE = 'platen-licence';

/** EdDSA means Ed25519 here (RFC 8037); the second name is RFC 9864's for the same algorithm. */
const algorithms = ['EdDSA', 'Ed25519'];

/** A signed token starts with the base64url of `{"…`. */
const token = /^eyJ[\w-]*\.[\w-]*\.[\w-]*$/;

/**
 * The loader's check of licences. A licence is the token itself, or the path of a file that holds it. One that lies in a
 * folder of licences, under any name, counts for whichever plugin it names; of several, the one that lasts longest.
 * @param dataDir the base of relative paths
 * @param machine asked only for a licence that names computers
 * @param folders of licences; they need not exist
 */
export function createEntitle(
  dataDir: string,
  clock: Clock = systemClock,
  machine: MachineId = machineId,
  folders: readonly string[] = [],
): Entitle {
  return async ({ plugin, publicKeys, licence }) => {
    const keys = await Promise.all(publicKeys.map(keyOf));
    const check = async (signed: string): Promise<Entitlement> => {
      const payload = await verified(signed, keys, plugin, new Date(clock.now()));
      await checkMachine(payload, machine);
      return entitlement(payload);
    };
    const own = async (): Promise<Entitlement | undefined> =>
      licence === undefined
        ? undefined
        : check(isToken(licence) ? licence.trim() : await tokenIn(resolve(dataDir, licence)));
    const found = await tokensFor(plugin, folders);
    const tried = await Promise.allSettled([own(), ...found.map(check)]);
    const valid = tried.flatMap(each => (each.status === 'fulfilled' && each.value ? [each.value] : []));
    const [longest] = valid.sort((a, b) => endOf(b).getTime() - endOf(a).getTime());
    if (longest) return longest;
    const failed = tried.find(each => each.status === 'rejected');
    if (failed) throw failed.reason;
    const why = 'there is no licence for it';
    throw new LicenceError(why, { forPages: why });
  };
}

/**
 * Where licences are dropped: beside the configuration, for administrators, and in the data folder.
 * @param configFolder the configuration's
 */
export const licenceFolders = (configFolder: string, dataDir: string): readonly string[] =>
  [configFolder, dataDir].map(folder => join(folder, 'licences'));

/** Larger ones are none. */
const LARGEST = 65_536;

/** The licences in the folders that say that they are for the plugin; nothing of them is checked. */
export async function tokensFor(plugin: string, folders: readonly string[]): Promise<readonly string[]> {
  const files = await Promise.all(
    folders.map(async folder => (await readdir(folder).catch(() => [])).sort().map(name => join(folder, name))),
  );
  const tokens = await Promise.all(files.flat().map(file => tokenIn(file).catch(() => undefined)));
  const { decodeJwt } = await import('jose');
  return tokens.filter((each): each is string => {
    if (each === undefined) return false;
    try {
      return [decodeJwt(each).aud].flat().includes(plugin);
    } catch {
      return false;
    }
  });
}

/** Whether the text is a token, or else the path of a file that holds one. */
export const isToken = (text: string): boolean => token.test(text.trim());

export async function tokenIn(file: string): Promise<string> {
  const text = await textIn(file).catch((error: unknown) => {
    if (systemCode(error) === 'ENOENT') throw new Error(`the licence file ${file} does not exist`, { cause: error });
    throw new Error(`its licence file ${file} cannot be read: ${systemCode(error) ?? messageOf(error)}`, {
      cause: error,
    });
  });
  if (!token.test(text.trim())) throw new Error(`its licence file ${file} does not contain a licence`);
  return text.trim();
}

/** @throws without opening what is not a regular file: a pipe would wait for a writer for ever */
async function textIn(file: string): Promise<string> {
  const found = await stat(file);
  if (!found.isFile()) throw new Error('it is not a regular file');
  if (found.size > LARGEST) throw new Error('it is too large for a licence');
  return readFile(file, 'utf8');
}

async function keyOf(publicKey: string): Promise<CryptoKey> {
  const { importSPKI } = await import('jose');
  try {
    return await importSPKI(publicKey, 'EdDSA');
  } catch (error) {
    throw new Error("the plugin's public key is not an Ed25519 key in PEM", { cause: error });
  }
}

/** @throws Error with what is wrong by the first key that signed it */
async function verified(
  signed: string,
  keys: readonly CryptoKey[],
  plugin: string,
  currentDate: Date,
): Promise<JWTPayload> {
  const { jwtVerify } = await import('jose');
  let last: unknown;
  for (const key of keys) {
    try {
      const { payload } = await jwtVerify(signed, key, {
        algorithms,
        typ: LICENCE_TYPE,
        audience: plugin,
        requiredClaims: ['sub', 'exp'],
        currentDate,
      });
      return payload;
    } catch (error) {
      const payload = inGrace(error, currentDate);
      if (payload) return payload;
      last = error;
      if ((error as { code?: unknown }).code !== 'ERR_JWS_SIGNATURE_VERIFICATION_FAILED') break;
    }
  }
  const why = wordsFor(last);
  const hasEnded = (last as { code?: unknown } | undefined)?.code === 'ERR_JWT_EXPIRED';
  throw new LicenceError(why, { cause: last, hasEnded, ...(hasEnded ? { forPages: why } : {}) });
}

/** @returns the claims of a licence that has ended, within the days of grace that its vendor signed into it */
function inGrace(error: unknown, now: Date): JWTPayload | undefined {
  const { code, payload } = error as { code?: unknown; payload?: JWTPayload };
  // All but its end was checked.
  const end = code === 'ERR_JWT_EXPIRED' && payload ? graceOf(payload) : undefined;
  return end && end.getTime() > now.getTime() ? payload : undefined;
}

const DAY_S = 86_400;
/** More days are no grace. */
export const MOST_GRACE = 366;

function graceOf({ exp, grace }: JWTPayload): Date | undefined {
  const isGrace = typeof grace === 'number' && Number.isInteger(grace) && grace > 0 && grace <= MOST_GRACE;
  return isGrace && typeof exp === 'number' ? new Date((exp + grace * DAY_S) * 1000) : undefined;
}

/** @throws Error if the licence is for other computers */
async function checkMachine({ machine: named }: JWTPayload, machine: MachineId): Promise<void> {
  if (named === undefined) return;
  const ids = [named].flat();
  if (ids.length === 0 || !ids.every(id => typeof id === 'string'))
    throw new Error('its licence names computers that are no ids');
  const own = await machine();
  if (own === undefined) throw new Error('its licence is for certain computers, and the id of this one cannot be read');
  const forPages = 'its licence is for other computers';
  if (!ids.includes(own)) throw new LicenceError(`${forPages}, and the id of this one is ${own}`, { forPages });
}

/** Quotes claims only if the signature is valid. */
function wordsFor(error: unknown): string {
  const {
    code,
    claim,
    reason,
    payload = {},
  } = error as { code?: string; claim?: string; reason?: string; payload?: JWTPayload };
  if (code === 'ERR_JOSE_ALG_NOT_ALLOWED') return 'its licence is not signed with Ed25519';
  if (code === 'ERR_JWS_SIGNATURE_VERIFICATION_FAILED')
    return "its licence is not signed with its vendor's key, or was changed";
  if (code === 'ERR_JWT_EXPIRED')
    return `${payload['trial'] === true ? 'its trial ended' : 'its licence ended'} on ${dayOf(payload.exp)}`;
  if (claim === 'typ') return `its licence is not a token of type "${LICENCE_TYPE}"`;
  if (claim === 'nbf' && reason === 'check_failed') return `its licence is not valid before ${dayOf(payload.nbf)}`;
  const plugins = [payload.aud].flat().filter(each => typeof each === 'string');
  if (claim === 'aud' && plugins.length > 0) return `its licence is for ${plugins.join(', ')}`;
  const missing = { aud: 'plugin', sub: 'customer', exp: 'expiry' }[claim ?? ''];
  return missing === undefined ? 'its licence is not a readable token' : `its licence names no ${missing}`;
}

function entitlement(payload: JWTPayload): Entitlement {
  const { sub, exp, trial, seats } = payload;
  const grace = graceOf(payload);
  const expires = new Date((exp ?? NaN) * 1000);
  if (typeof sub !== 'string' || sub === '') throw new Error('its licence names no customer');
  if (Number.isNaN(expires.getTime())) throw new Error('its licence names no expiry');
  return {
    customer: sub,
    expires,
    ...(grace ? { grace } : {}),
    ...(trial === true ? { trial } : {}),
    ...(typeof seats === 'number' ? { seats } : {}),
  };
}

/** The day of a claim in seconds since 1970, for people. */
export function dayOf(seconds: number | undefined): string {
  const date = new Date((seconds ?? NaN) * 1000);
  return Number.isNaN(date.getTime()) ? 'an unknown day' : date.toISOString().slice(0, 10);
}
