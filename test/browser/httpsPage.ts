/** The page of a public site, over HTTPS, from this computer: for what browsers say about mixed content. */
import { once } from 'node:events';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { createServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Test } from 'tap';
import { installCertificate } from '../topology/certificate.js';
import type { PublicSite } from './publicSite.js';

/** @returns the address of a page with a client of this service */
export async function overHttps(t: Test, site: PublicSite, service: string): Promise<string> {
  const data = await mkdtemp(join(tmpdir(), 'platen-https-page-'));
  t.teardown(() => rm(data, { recursive: true, force: true }));
  await installCertificate(data, 'valid');
  const [key, cert] = await Promise.all(['key.pem', 'cert.pem'].map(name => readFile(join(data, 'certificate', name))));
  const plain = new URL(site.page(service));
  const server = createServer({ key, cert }, (request, response) => {
    void fetch(`http://${site.addresses[0]}${request.url}`).then(async answer => {
      const type = answer.headers.get('content-type') ?? '';
      response.writeHead(answer.status, { 'content-type': type }).end(await answer.text());
    });
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  t.teardown(() => {
    server.closeAllConnections();
    server.close();
  });
  return `https://localhost:${(server.address() as AddressInfo).port}${plain.pathname}`;
}
