/** A service in this process for one command, on a socket that only this account can reach. */
import { chmod } from 'node:fs/promises';
import { join } from 'node:path';
import { createClient } from '@platen/client';
import { serviceAt } from '@platen/client/service';
import { messageOf, type KnownDevice, type Log } from '@platen/core';
import type { Located } from '../../machine/config/read.js';
import type { Config } from '../../machine/config/schema.js';
import { privateSocket, type PrivateSocket } from '../../machine/dataFolder/sockets.js';
import { fetchAt } from '../../machine/fetch.js';
import { platform } from '../../machine/platform.js';
import { compose, type Composed } from '../../service/compose.js';
import type { App } from '../../service/http/app.js';
import { readToken } from '../../service/consent/localToken.js';
import { fetchCommand } from './fetchCommand.js';
import type { ReachedService } from './reachedService.js';

export interface PrivateServiceParts {
  readonly config: Config & Located;
  /** Exists, and this process holds its lock. */
  readonly dataDir: string;
  /** Where plugins were added. */
  readonly pluginsDir: string | undefined;
  /** Of the service that is started later; 0: a free one. */
  readonly port: number;
  /** The log of a part of the program. */
  logFor(part: string): Log;
}

export async function privateService(parts: PrivateServiceParts): Promise<ReachedService> {
  const log = parts.logFor('platen');
  return onSocket(await compose({ ...parts, log, pluginLog: parts.logFor }), parts);
}

/** Serves a command on a socket in the data folder. Its `close` closes what was composed, too. */
export async function onSocket(composed: Composed, parts: PrivateServiceParts): Promise<ReachedService> {
  const { config, dataDir, port, logFor } = parts;
  const log = logFor('platen');
  const { scans, keepsPages } = composed.routeParts;
  let app: App | undefined;
  let socket: PrivateSocket | undefined;
  const close = async (): Promise<void> => {
    try {
      await composed.stopScanning();
      await app?.close();
    } finally {
      socket?.release();
      await composed.close().catch((error: unknown) => log.error(`A plugin failed to close: ${messageOf(error)}`));
    }
  };
  try {
    // Drivers look for their scanners meanwhile.
    const [{ appWith }, { scanRoutes }] = await Promise.all([
      import('../../service/appWith.js'),
      import('../../service/routes/scanRoutes.js'),
    ]);
    app = await appWith(scanRoutes, { routeParts: composed.routeParts, security: config.security });
    socket = privateSocket(dataDir);
    await app.listen({ path: socket.path });
    if (platform !== 'win32') await chmod(socket.path, 0o600);
    const host = config.security.allowedHosts[0] ?? 'localhost';
    const token = await readToken(dataDir);
    const options = {
      baseUrl: `http://${host}`,
      fetch: fetchAt({ host, port: 0, socketPath: socket.path }, async () => undefined),
      ...(token === undefined ? {} : { token }),
    };
    const client = createClient(options);
    const left = (what: string, path: string, isSaved = true): string => {
      if (!keepsPages) return `${what} lost, because of scans.keep: false in the configuration.`;
      const withToken = config.security.localPrograms === 'token';
      const command = fetchCommand({ dataDir, host, port, path, isSaved, withToken });
      return `${what} kept in ${join(dataDir, 'scans')}. Start the service (platen serve), then: ${command}`;
    };
    const interrupted = (await client.listScans()).filter(({ state }) => state === 'interrupted');
    const count = interrupted.reduce((sum, { pageCount }) => sum + pageCount, 0);
    if (count > 0) log.warn(left(`Pages of scans that were interrupted (${count}) are`, '/api/scans', false));
    return {
      client,
      calls: serviceAt(options),
      async looked(name) {
        const isThere = (all: readonly KnownDevice[]): boolean =>
          all.some(each => each.name === name && !each.remembered);
        await scans.look(name === undefined ? undefined : isThere);
      },
      left,
      close,
    };
  } catch (error) {
    await close().catch((failure: unknown) => log.error(messageOf(failure)));
    throw error;
  }
}
