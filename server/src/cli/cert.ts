/** `platen cert`: makes, shows and removes the service's certificate, and adds it to the computer's trust stores. */
import { parseArgs } from 'node:util';
import { checkDataFolder, dataFolderSentence, prepareDataFolder } from '../config/dataFolder.js';
import { ConfigError } from '../config/error.js';
import { resolveSettings } from '../config/settings.js';
import {
  CertificateError,
  ensureCertificate,
  readCertificate,
  readPublicPart,
  removeCertificate,
  type PublicPart,
} from '../tls/certificate.js';
import { ownOnly } from '../tls/trust/ownOnly.js';
import type { PublicCertificate } from '../tls/trust/store.js';
import { trustStores, type TrustStores } from '../tls/trust/stores.js';
import { distrust, trustCertificate, whereTrusted, type Outcome } from '../tls/trust/trust.js';
import { exitCodes, exitCodesHelp } from './exitCodes.js';
import type { Io } from './io.js';

const help = `platen cert install [--no-trust]
platen cert status [--json]
platen cert remove

install   makes a certificate for https://localhost unless there is a valid one, and adds it to the trust stores
status    shows whether it is valid, its thumbprints, when it expires, and which trust stores have it
remove    removes it from every trust store, then deletes it

The certificate is in the data folder (PLATEN_DATA_DIR). After a change, restart the service and the browsers.
To trust it for the whole computer you need administrator rights. Without them, install prints the commands for the
rest and exits with 1. --no-trust makes the certificate and leaves the trust stores alone.

${exitCodesHelp}`;

interface Call {
  readonly dataDir: string;
  readonly io: Io;
  readonly noTrust: boolean;
  readonly json: boolean;
  stores(): Promise<TrustStores>;
}

const commands: Readonly<Record<string, (call: Call) => Promise<number>>> = { install, status, remove };

/**
 * @param stores the computer's; a test passes others
 * @returns the exit code
 * @throws {ConfigError} for a rejected flag or data folder
 */
export async function cert(args: string[], io: Io, stores: typeof trustStores = trustStores): Promise<number> {
  const { values, positionals } = parseArgs({
    args,
    allowPositionals: true,
    options: { 'no-trust': { type: 'boolean' }, json: { type: 'boolean' }, help: { type: 'boolean', short: 'h' } },
  });
  if (values.help) {
    io.out(help);
    return exitCodes.ok;
  }
  const [name = '', ...rest] = positionals;
  const command = Object.hasOwn(commands, name) ? commands[name] : undefined;
  if (!command || rest.length > 0) {
    io.err(help);
    return exitCodes.usage;
  }
  // A flag of another command is an error, not ignored.
  for (const [flag, owner] of [
    ['no-trust', 'install'],
    ['json', 'status'],
  ] as const) {
    if (values[flag] && name !== owner)
      throw new ConfigError(`--${flag} belongs to "platen cert ${owner}", not to "platen cert ${name}".`, {
        code: 'usage',
      });
  }
  const { dataDir } = resolveSettings({ env: io.env, cwd: io.cwd });
  return command({
    dataDir,
    io,
    noTrust: values['no-trust'] === true,
    json: values.json === true,
    stores: async () => ownOnly(await stores(dataDir, io.env)),
  });
}

async function install({ dataDir, io, noTrust, stores }: Call): Promise<number> {
  await prepareDataFolder(dataDir, io.err);
  const before = await readPublicPart(dataDir);
  const certificate = await ensureCertificate(dataDir).catch((error: unknown) => {
    throw error instanceof CertificateError || error instanceof ConfigError
      ? error
      : new ConfigError(dataFolderSentence(dataDir, error), { cause: error });
  });
  io.out(
    certificate.created
      ? 'Created a certificate. If the service is running, restart it.'
      : 'There is already a valid certificate.',
  );
  show(certificate, io);
  if (noTrust) return exitCodes.ok;
  return tell(
    await trustCertificate(dataDir, publicOf(certificate), before ? [publicOf(before)] : [], await stores()),
    io,
  );
}

async function status({ dataDir, io, json, stores }: Call): Promise<number> {
  const part = await readPublicPart(dataDir);
  const problem = await readCertificate(dataDir).then(
    () => undefined,
    (error: unknown) => {
      if (error instanceof CertificateError) return error;
      throw error;
    },
  );
  const trust = part ? await whereTrusted(publicOf(part), await stores()) : [];
  if (json) {
    const { thumbprintSha1, thumbprintSha256, expires, daysLeft } = part ?? {};
    io.out(
      JSON.stringify(
        {
          valid: !problem,
          fault: problem?.fault,
          error: problem?.message,
          thumbprintSha1,
          thumbprintSha256,
          expires,
          daysLeft,
          trust,
        },
        null,
        2,
      ),
    );
  } else {
    if (problem) io.err(problem.message);
    else io.out('The certificate is valid.');
    if (part) show(part, io);
    for (const { store, trusted, error } of trust) {
      if (trusted === undefined) io.err(`Could not find out whether ${store} trusts it. ${error ?? ''}`);
      else io.out(`${trusted ? 'Trusted' : 'Not trusted'} in ${store}.`);
    }
  }
  return problem ? exitCodes.certificate : exitCodes.ok;
}

async function remove({ dataDir, io, stores }: Call): Promise<number> {
  await checkDataFolder(dataDir);
  const part = await readPublicPart(dataDir);
  const outcome = await distrust(dataDir, part ? [publicOf(part)] : [], await stores());
  const code = tell(outcome, io);
  if (code !== exitCodes.ok) {
    io.err(
      'The certificate was kept, because a trust store still has it. Remove it there, then run this command again.',
    );
    return code;
  }
  try {
    const removed = await removeCertificate(dataDir);
    io.out(removed ? 'Removed the certificate. The service does not start without one.' : 'There was no certificate.');
    return exitCodes.ok;
  } catch (error) {
    throw new ConfigError(dataFolderSentence(dataDir, error), { cause: error });
  }
}

function tell({ done, failed, left }: Outcome, io: Io): number {
  for (const line of done) io.out(line);
  for (const line of [...failed, ...left]) io.err(line);
  return failed.length > 0 ? exitCodes.failure : exitCodes.ok;
}

function show({ thumbprintSha1, thumbprintSha256, expires, daysLeft }: PublicPart, io: Io): void {
  io.out(`Thumbprint (SHA-1):   ${thumbprintSha1}`);
  io.out(`Thumbprint (SHA-256): ${thumbprintSha256}`);
  io.out(`Expires:              ${expires.toISOString()} (${daysLeft} days left)`);
}

const publicOf = ({ cert: pem, thumbprintSha1: sha1 }: PublicPart): PublicCertificate => ({ pem, sha1 });
