/** The address of a channel: a named pipe on Windows, elsewhere a Unix socket in the data folder that both ends share. */
import { createHmac } from 'node:crypto';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { platform as thisPlatform } from '@platen/driver-kit';

/** A channel's allowed names: in names of pipes Windows does not distinguish upper from lower case. */
export const CHANNEL_NAME = '^[a-z][a-z0-9-]{0,31}$';

/** A socket's path has 104 bytes on macOS and 108 on Linux, a zero at the end included. */
const LONGEST_PATH = 103;
/** The length of the suffix that `listenChannel` appends to a path for a moment. */
export const SUFFIX_BYTES = 9;

export interface ChannelPlace {
  readonly name: string;
  /** An absolute path. */
  readonly dataDir: string;
  readonly secret: Uint8Array;
  readonly platform?: NodeJS.Platform;
}

/**
 * Names that every account can see, of pipes and in the folder for temporary files, are derived from the secret: another
 * account cannot guess the name and listen on it first.
 */
export function channelAddress({ name, dataDir, secret, platform = thisPlatform }: ChannelPlace): string {
  const id = createHmac('sha256', secret).update(`platen channel address\0${name}`).digest('hex').slice(0, 20);
  if (platform === 'win32') return `\\\\.\\pipe\\platen-${name}-${id}`;
  const inside = join(dataDir, `channel-${name}.sock`);
  return Buffer.byteLength(inside) + SUFFIX_BYTES <= LONGEST_PATH ? inside : join(tmpdir(), `platen-${id}.sock`);
}
