/** `platen cert`: makes, shows and removes the service's certificate. */
import { parseArgs } from 'node:util';
import { dataFolderSentence, prepareDataFolder } from '../config/dataFolder.js';
import { ConfigError } from '../config/error.js';
import { resolveSettings } from '../config/settings.js';
import { CertificateError, ensureCertificate, readCertificate, removeCertificate, type Certificate } from '../tls/certificate.js';
import { exitCodes, exitCodesHelp } from './exitCodes.js';
import type { Io } from './io.js';

const help = `platen cert install [--no-trust]
platen cert status
platen cert remove

install   makes a certificate for https://localhost where there is no valid one
status    says whether there is a valid one, its thumbprints and when it expires
remove    removes it

The certificate lies in the data folder (PLATEN_DATA_DIR). Restart the service after a change.
--no-trust leaves the trust stores of the operating system alone. This version never touches them.

${exitCodesHelp}`;

type Command = (dataDir: string, io: Io, noTrust: boolean) => Promise<number>;
const commands: Readonly<Record<string, Command>> = { install, status, remove };

/** @returns the exit code; a refused flag or data folder is thrown */
export async function cert(args: string[], io: Io): Promise<number> {
  const { values, positionals } = parseArgs({
    args,
    allowPositionals: true,
    options: { 'no-trust': { type: 'boolean' }, help: { type: 'boolean', short: 'h' } },
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
  // Trust is a matter of installing; elsewhere the flag would say nothing.
  if (values['no-trust'] && name !== 'install') {
    throw new ConfigError(`--no-trust belongs to "platen cert install", not to "platen cert ${name}".`, { code: 'usage' });
  }
  return command(resolveSettings({ env: io.env, cwd: io.cwd }).dataDir, io, values['no-trust'] === true);
}

async function install(dataDir: string, io: Io, noTrust: boolean): Promise<number> {
  await prepareDataFolder(dataDir);
  const certificate = await ensureCertificate(dataDir).catch((error: unknown) => {
    throw error instanceof CertificateError ? error : new ConfigError(dataFolderSentence(dataDir, error), { cause: error });
  });
  io.out(certificate.created ? 'A certificate was made; restart the service if it runs.' : 'There is a valid certificate already.');
  show(certificate, io);
  if (!noTrust) {
    io.out('This version does not touch trust stores yet: browsers will ask before they accept the certificate.');
  }
  return exitCodes.ok;
}

async function status(dataDir: string, io: Io): Promise<number> {
  try {
    const certificate = await readCertificate(dataDir);
    io.out('The certificate is valid.');
    show(certificate, io);
    return exitCodes.ok;
  } catch (error) {
    if (!(error instanceof CertificateError)) throw error;
    io.err(error.message);
    return exitCodes.certificate;
  }
}

async function remove(dataDir: string, io: Io): Promise<number> {
  try {
    const removed = await removeCertificate(dataDir);
    io.out(removed ? 'The certificate was removed; the service does not start without one.' : 'There was no certificate.');
    return exitCodes.ok;
  } catch (error) {
    throw new ConfigError(dataFolderSentence(dataDir, error), { cause: error });
  }
}

function show({ thumbprintSha1, thumbprintSha256, expires, daysLeft }: Certificate, io: Io): void {
  io.out(`Thumbprint (SHA-1):   ${thumbprintSha1}`);
  io.out(`Thumbprint (SHA-256): ${thumbprintSha256}`);
  io.out(`Expires:              ${expires.toISOString()} (${daysLeft} days left)`);
}
