/** Scans through the service that has the data folder. */
import { join } from 'node:path';
import { ScanError, type Clock } from '@platen/core';
import { NoReply } from '../../machine/ask.js';
import { dataFolderHolder } from '../../machine/dataFolder/lock.js';
import type { ServiceAddress } from '../../machine/dataFolder/lockHolder.js';
import { readToken } from '../../service/consent/localToken.js';
import { CertificateError, readPublicPart, readPublicParts } from '../../machine/tls/certificate.js';
import type { ListedScanner, ScanBackend } from './backend.js';
import { fetchCommand } from './fetchCommand.js';
import { createServiceCalls } from './serviceCalls.js';
import { serviceImageEndings, serviceRefuses, startServiceDocuments } from './serviceDocuments.js';
import { startServiceScan } from './serviceScan.js';

export interface ThroughServiceParts {
  readonly dataDir: string;
  readonly address: ServiceAddress;
  readonly clock: Clock;
}

/**
 * @throws `certificate` if the program on the port is not this service, `NoReply` if there is none, and an error if the
 *   service cannot be used
 */
export async function scanThroughService({ dataDir, address, clock }: ThroughServiceParts): Promise<ScanBackend> {
  const part = await readPublicPart(dataDir);
  const all = await readPublicParts(dataDir);
  const file = join(dataDir, 'certificate', 'cert.pem');
  if (!part) throw new CertificateError('missing', `The certificate ${file} of the running service is missing`);
  const token = await readToken(dataDir);
  const calls = createServiceCalls({
    clock,
    // Within an hour, the service changes to the next one; a scan may last longer than its certificate.
    certificate: all.map(({ cert }) => cert).join(''),
    address,
    token,
    locate: () => addressOf(dataDir),
  });
  try {
    await calls.json('/');
  } catch (error) {
    throw error instanceof NoReply && error.trouble === 'untrusted'
      ? foreign(address, file, part.expires, clock)
      : error;
  }

  const command = (path: string, isSaved = false): string =>
    fetchCommand({ dataDir, ...calls.address, path, isSaved, withToken: token !== undefined });

  return {
    async look() {
      const listed = (): Promise<{ scanners: readonly ListedScanner[] }> => calls.json('/api/twain/scanners');
      const { scanners } = await calls.patiently(listed).catch((error: unknown) => {
        throw error instanceof NoReply ? silent(error) : error;
      });
      return scanners;
    },
    scan(request, write) {
      return startServiceScan(request, {
        calls,
        write,
        leftOver(id, pages) {
          if (pages === undefined)
            return `Pages that are not written wait in the service. Once it runs, list them: ${command(`/api/scans/${id}`)}`;
          const [first = 1] = pages;
          const which = pages.length === 1 ? `Page ${first} waits` : `Pages ${pages.join(', ')} wait`;
          return `${which} in the service. To fetch one: ${command(`/api/scans/${id}/pages/${first}`, true)}`;
        },
      });
    },
    refusesDocument: ask => serviceRefuses(calls, ask),
    imageEndings: () => serviceImageEndings(calls),
    keep: (request, see) =>
      startServiceDocuments(request, {
        calls,
        see,
        fetching: path => `Its pages wait in the service. When it runs, this gets the document: ${command(path, true)}`,
      }),
    close: async () => undefined,
  };
}

/** Where the service that has this data folder is; undefined if none has it. */
async function addressOf(dataDir: string): Promise<ServiceAddress | undefined> {
  const holder = await dataFolderHolder(dataDir);
  const use = holder.alive ? holder.use : undefined;
  return use?.use === 'service' ? use : undefined;
}

function foreign({ port }: ServiceAddress, file: string, expires: Date, clock: Clock): Error {
  if (expires.getTime() <= clock.now())
    return new CertificateError('expired', `The certificate ${file} expired on ${expires.toISOString()}`);
  const sentence = `The program on port ${port} does not present the certificate ${file}. If it is the service, the certificate was replaced after its start: restart it.`;
  return Object.assign(new Error(sentence), { code: 'certificate' });
}

function silent({ message }: NoReply): ScanError {
  return new ScanError('service-ended', `The service ended, or does not answer (${message}).`);
}
