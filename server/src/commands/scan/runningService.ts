/** The service that runs and has the data folder, for a command. */
import { join } from 'node:path';
import type { Clock } from '@platen/core';
import { createClient, type PlatenError } from '@platen/client';
import { serviceAt } from '@platen/client/service';
import { NoReply } from '../../machine/ask.js';
import { dataFolderHolder } from '../../machine/dataFolder/lock.js';
import type { ServiceAddress } from '../../machine/dataFolder/lockHolder.js';
import { fetchAt } from '../../machine/fetch.js';
import { CertificateError, readPublicPart, readPublicParts } from '../../machine/tls/certificate.js';
import { readToken } from '../../service/consent/localToken.js';
import { fetchCommand } from './fetchCommand.js';
import type { ReachedService } from './reachedService.js';

/** Longer than a busy service needs for an answer from memory. */
const ANSWER_MS = 5000;

/**
 * @returns undefined if nothing answers there
 * @throws `certificate` if the program on the port is not this service
 */
export async function runningService(
  dataDir: string,
  address: ServiceAddress,
  clock: Clock,
): Promise<ReachedService | undefined> {
  const part = await readPublicPart(dataDir);
  const file = join(dataDir, 'certificate', 'cert.pem');
  if (!part) throw new CertificateError('missing', `The certificate ${file} of the running service is missing`);
  // Within an hour, the service changes to the next one; a scan may last longer than its certificate.
  const certificate = (await readPublicParts(dataDir)).map(({ cert }) => cert).join('');
  const token = await readToken(dataDir);
  let at = address;
  const locate = async () => {
    const holder = await dataFolderHolder(dataDir);
    const use = holder.alive ? holder.use : undefined;
    if (use?.use !== 'service') return undefined;
    if (use.port !== 0) at = use;
    return { ...use, certificate };
  };
  const options = {
    baseUrl: `https://${address.host}:${address.port}`,
    fetch: fetchAt({ ...address, certificate }, locate),
    ...(token === undefined ? {} : { token }),
  };
  const calls = serviceAt(options);
  try {
    await calls.json('/', { signal: AbortSignal.timeout(ANSWER_MS) });
  } catch (error) {
    const { code, cause } = error as Partial<PlatenError>;
    if (cause instanceof NoReply && cause.trouble === 'untrusted') throw foreign(address, file, part.expires, clock);
    if (code === 'no-answer' || code === 'timeout') return undefined;
    throw error;
  }
  const client = createClient(options);
  return {
    client,
    calls,
    // It has looked, unless it has just started.
    looked: async () => void (await client.listScanners()),
    left(what, path, isSaved = true) {
      const command = fetchCommand({ dataDir, ...at, path, isSaved, withToken: token !== undefined });
      return `${what} kept in the service. When it runs: ${command}`;
    },
    close: async () => undefined,
  };
}

function foreign({ port }: ServiceAddress, file: string, expires: Date, clock: Clock): Error {
  if (expires.getTime() <= clock.now())
    return new CertificateError('expired', `The certificate ${file} expired on ${expires.toISOString()}`);
  const sentence = `The program on port ${port} does not present the certificate ${file}. If it is the service, the certificate was replaced after its start: restart it.`;
  return Object.assign(new Error(sentence), { code: 'certificate' });
}
