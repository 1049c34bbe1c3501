/**
 * A web page's visit to an installed service: scans a stack from SANE's test backend, and checks the certificate
 * against the system's. Arguments: the file with the trusted certificates. Prints {@link Visit} as JSON.
 */
import { readFileSync } from 'node:fs';
import { setTimeout as pause } from 'node:timers/promises';
import { connect } from 'node:tls';
import { TESTER } from '../sane/testBackend.js';
import { request } from '../topology/client.js';

const PORT = 53052;

export interface Visit {
  readonly status: number;
  /** The first bytes of the first page. */
  readonly page: string;
  readonly pages: number;
  readonly version: string;
  /** Whether the system trusts the certificate. */
  readonly trusted: boolean;
}

interface Scan {
  readonly imageCount: number;
  readonly images: readonly { readonly base64Data: string }[];
}

const trusted = (ca: string): Promise<boolean> =>
  new Promise(resolve => {
    const socket = connect({ host: 'localhost', port: PORT, ca, servername: 'localhost' }, () => {
      resolve(socket.authorized);
      socket.destroy();
    });
    socket.on('error', () => resolve(false));
  });

/** The service may still start, and SANE, with all backends that Debian installs, may still look for scanners (404). */
async function scan(): Promise<{ status: number; json: unknown; text: string }> {
  const body = {
    scannerName: TESTER,
    parameters: { resolution: 75, colorMode: 'Color', imageFormat: 'Jpeg' },
  };
  for (const end = Date.now() + 60_000; ; await pause(50)) {
    const answer = await request(PORT, 'POST', '/api/twain/scan', { body }).catch((error: Error) => error);
    const late = Date.now() > end;
    if (answer instanceof Error) {
      if (late) throw answer;
    } else if (late || answer.status !== 404) return answer;
  }
}

const answer = await scan();
const { images = [], imageCount = 0 } = answer.json as Partial<Scan>;
const [first] = images;
const visit: Visit = {
  status: answer.status,
  page: Buffer.from(first?.base64Data ?? '', 'base64')
    .subarray(0, 3)
    .toString('hex'),
  pages: imageCount,
  version: (await request(PORT, 'GET', '/api/twain/version')).text,
  trusted: await trusted(readFileSync(process.argv[2] ?? '', 'utf8')),
};
console.log(JSON.stringify(answer.status === 200 ? visit : { ...visit, error: answer.text.slice(0, 500) }));
