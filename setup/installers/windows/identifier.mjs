/** Identifiers of the installer package that stay the same from build to build. */
import { createHash } from 'node:crypto';

/** Names all versions of Platen to Windows Installer. Never change it: an update would install a second copy. */
export const upgradeCode = '{7C0F9A2E-5B0D-4C57-9E0B-3B6D51A1C4E8}';

/** @param {string} name @returns {string} a GUID made from the name (RFC 9562, version 5, in the space of `upgradeCode`) */
export function guid(name) {
  const bytes = createHash('sha1').update(`${upgradeCode} ${name}`).digest().subarray(0, 16);
  bytes[6] = (bytes[6] & 0x0f) | 0x50;
  bytes[8] = (bytes[8] & 0x3f) | 0x80;
  const hex = bytes.toString('hex').toUpperCase();
  return `{${[hex.slice(0, 8), hex.slice(8, 12), hex.slice(12, 16), hex.slice(16, 20), hex.slice(20)].join('-')}}`;
}

/**
 * @param {string} prefix @param {string} name
 * @returns {string} a key of a table: at most 72 letters, digits and underscores
 */
export const key = (prefix, name) => `${prefix}_${createHash('sha1').update(name).digest('hex').slice(0, 16)}`;
