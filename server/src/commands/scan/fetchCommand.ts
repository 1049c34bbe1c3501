/** A command for a person, who fetches from the service with it. */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { ServiceAddress } from '../../machine/dataFolder/lockHolder.js';
import { platform } from '../../machine/platform.js';
import { tokenFile } from '../../service/consent/localToken.js';
import { bundleIn } from '../../machine/tls/pair.js';

export interface Fetched extends ServiceAddress {
  readonly dataDir: string;
  readonly path: string;
  /** Into a file. */
  readonly isSaved?: boolean;
  /** Local programs need the token. */
  readonly withToken?: boolean;
}

/** With the service's certificate, and as the host that it accepts. A free port is not known yet: the person has it. */
export function fetchCommand({ dataDir, host, port, path, isSaved = false, withToken = false }: Fetched): string {
  const all = bundleIn(dataDir);
  // Versions before the successors had the one file only.
  const certificate = JSON.stringify(existsSync(all) ? all : join(dataDir, 'certificate', 'cert.pem'));
  const url = `https://${host}:${port || 'PORT'}${path}`;
  // A shell gives ? and & a meaning of their own.
  const quoted = /[?&]/.test(url) ? `"${url}"` : url;
  const proof = withToken ? ` -H "Authorization: Bearer ${contentOf(tokenFile(dataDir))}"` : '';
  return `curl --cacert ${certificate}${proof} ${quoted}${isSaved ? ' -o FILE' : ''}`;
}

/** As the person's shell reads a file; the secret itself is not printed. Windows' has no way within a line. */
const contentOf = (file: string): string => (platform === 'win32' ? `TOKEN of ${file}` : `$(cat '${file}')`);
