/** The first message of each end: its role, its protocol, its version of Platen. */
import { createRequire } from 'node:module';
import { countOf, fieldsOf, flagOf, textOf, wordOf, type Fields } from '@platen/core/wire';

/** Changes whenever an end of another version could misunderstand this one. 2: an order names its source. */
export const PROTOCOL = 2;

/** `driver`: has the scanners (`serveDriver`). `client`: uses them (`remoteDriver`). */
export type Role = 'driver' | 'client';

export interface Handshake {
  readonly version: string;
  /** The driver can put sheets into feeders. */
  readonly insert: boolean;
}

/** The version of this package; all packages of Platen have the same. */
export function ownVersion(): string {
  return textOf(createRequire(import.meta.url)('../../package.json') as Fields, 'version', 1);
}

export function handshakeOf(role: Role, handshake: Handshake): object {
  return { hello: { protocol: PROTOCOL, role, ...handshake } };
}

/**
 * @param role of the other end
 * @throws Error with the fix, if the other end cannot be used
 */
export function readHandshake(header: Fields, role: Role): Handshake {
  if (header.hello === undefined) throw new Error('the other end does not begin with a handshake: it is not Platen');
  const fields = fieldsOf(header.hello, 'hello');
  const protocol = countOf(fields, 'protocol');
  const version = textOf(fields, 'version', 1);
  if (protocol !== PROTOCOL) {
    const theirs = `the other end (version ${version}) speaks protocol ${protocol}`;
    throw new Error(
      `${theirs}, this one (version ${ownVersion()}) protocol ${PROTOCOL}: install the same version of Platen at both ends`,
    );
  }
  if (wordOf(fields, 'role', ['driver', 'client']) !== role) {
    throw new Error(
      role === 'driver'
        ? 'the other end offers no driver, it looks for one itself'
        : 'the other end looks for no driver, it offers one itself',
    );
  }
  return { version, insert: flagOf(fields, 'insert') };
}
