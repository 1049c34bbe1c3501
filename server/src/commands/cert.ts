/** `platen cert`: makes, shows and removes the service's certificate, and adds it to the computer's trust stores. */
import { checkDataFolder, dataFolderSentence, prepareDataFolder } from '../machine/dataFolder/dataFolder.js';
import { ConfigError } from '../machine/configError.js';
import { commandFor, DATA } from '../machine/linuxService.js';
import { platenProgram } from '../machine/packageFolders.js';
import { resolveSettings } from '../machine/config/settings.js';
import { linuxAccount } from '../machine/manager/linuxAccount.js';
import { makeServiceCertificate } from '../machine/manager/serviceCertificate.js';
import {
  CertificateError,
  lastingOf,
  readCertificate,
  readCertificates,
  readPublicPart,
  readPublicParts,
  removeCertificate,
  REMIND_DAYS,
  type PublicPart,
} from '../machine/tls/certificate.js';
import { chainFrom } from '../machine/tls/choose.js';
import { ensureCertificate } from '../machine/tls/ensure.js';
import { linuxSystemStore } from '../machine/tls/trust/linuxSystem.js';
import { ownOnly } from '../machine/tls/trust/ownOnly.js';
import type { PublicCertificate } from '../machine/tls/trust/store.js';
import { trustStores, type TrustStores } from '../machine/tls/trust/stores.js';
import { systemTools } from '../machine/tls/trust/tool.js';
import { CONFIRMED, distrust, trustCertificates, whereTrusted, type Outcome } from '../machine/tls/trust/trust.js';
import { becomeOwner, isRootElsewhere } from './parts/asOwner.js';
import { exitCodes } from '../machine/exitCodes.js';
import type { Io } from '../machine/io.js';
import { assertVerb, command } from './command.js';

const help = `platen cert install [--no-trust [--successors]]
platen cert status [--json]
platen cert remove

install   makes a certificate for https://localhost unless there is a valid one, and the certificates that follow it,
          and adds all of them to the trust stores
status    shows whether it is valid, its thumbprints, when it expires, which trust stores have it, and what follows it
remove    removes all of them from every trust store, then deletes them

The certificates are in the data folder (PLATEN_DATA_DIR). A running service changes to the next one by itself, 30 days
before the end of the one before. After a change of the trust stores, restart the browsers.
To trust them for the whole computer you need administrator rights. Without them, install prints the commands for the
rest and exits with 1. --no-trust makes one certificate and leaves the trust stores alone;
--successors makes those that follow, too, for a program that trusts them itself.`;

/** Eleven years. Where a person confirms each one, there are fewer. */
const CERTIFICATES = 5;

interface Call {
  readonly dataDir: string;
  readonly io: Io;
  readonly noTrust: boolean;
  readonly successors: boolean;
  readonly json: boolean;
  stores(): Promise<TrustStores>;
}

const commands: Readonly<Record<string, (call: Call) => Promise<number>>> = { install, status, remove };

/**
 * @param stores the computer's; a test passes others
 * @returns the exit code
 * @throws {ConfigError} for a rejected flag or data folder
 */
export const cert = command(
  {
    help,
    exits: ['configuration', 'certificate'],
    options: {
      'no-trust': { type: 'boolean' },
      successors: { type: 'boolean' },
      json: { type: 'boolean' },
    },
    allowPositionals: true,
  },
  async ({ values, positionals, io }, stores: typeof trustStores = trustStores): Promise<number | 'usage'> => {
    const [name = '', ...rest] = positionals;
    assertVerb('cert', name, Object.keys(commands));
    const own = Object.hasOwn(commands, name) ? commands[name] : undefined;
    if (!own || rest.length > 0) return 'usage';
    // A flag of another command is an error, not ignored.
    for (const [flag, owner] of [
      ['no-trust', 'install'],
      ['successors', 'install'],
      ['json', 'status'],
    ] as const) {
      if (values[flag] && name !== owner)
        throw new ConfigError(`--${flag} belongs to "platen cert ${owner}", not to "platen cert ${name}".`, {
          code: 'usage',
        });
    }
    const { dataDir } = resolveSettings({ env: io.env, cwd: io.cwd });
    return own({
      dataDir,
      io,
      noTrust: values['no-trust'] === true,
      successors: values.successors === true,
      json: values.json === true,
      stores: async () => ownOnly(await stores(io.env)),
    });
  },
);

async function install(call: Call): Promise<number> {
  const { dataDir, io, noTrust, successors: withSuccessors, stores } = call;
  if (!noTrust && dataDir === DATA && isRootElsewhere(DATA)) return installForService(io);
  await prepareDataFolder(dataDir, io.err);
  const before = await readPublicParts(dataDir);
  const found = await stores();
  const most = found.chosen.some(({ asks }) => asks) ? CONFIRMED : CERTIFICATES;
  // A successor that nobody trusts is of no use.
  const count = noTrust && !withSuccessors ? 1 : most;
  const now = new Date();
  const certificate = await ensureCertificate(dataDir, now, count).catch((error: unknown) => {
    throw error instanceof CertificateError || error instanceof ConfigError
      ? error
      : new ConfigError(dataFolderSentence(dataDir, error), { cause: error });
  });
  io.out(
    certificate.created
      ? 'Created a certificate. A running service uses it within an hour; to use it now, restart the service.'
      : 'There is already a valid certificate.',
  );
  show(certificate, io);
  const all = await readPublicParts(dataDir);
  const [served, ...successors] = chainFrom(certificate, all);
  if (certificate.added > 0)
    io.out(
      `Created ${certificate.added} more, of which each takes over from the one before: until ${day((successors.at(-1) ?? served).expires)}.`,
    );
  if (noTrust) return exitCodes.ok;
  return tell(
    await trustCertificates(
      dataDir,
      [served, ...successors].map(publicOf),
      before.map(publicOf),
      found,
      all.map(publicOf),
    ),
    io,
  );
}

/** Root, for the service of this computer: makes it with the rights of the service's account. */
async function installForService(io: Io): Promise<number> {
  const tools = systemTools(io.env);
  const store = linuxSystemStore(tools, { root: true, isNumbered: true });
  const made = await makeServiceCertificate({
    node: process.execPath,
    program: platenProgram,
    account: linuxAccount(tools, ''),
    store,
  });
  io.out(made.said);
  if (made.failure !== undefined) io.err(`Not trusted in ${store.name}. ${made.failure}`);
  else io.out(`${made.isAdded ? 'Now' : 'Already'} trusted in ${store.name}.`);
  return made.failure === undefined ? exitCodes.ok : exitCodes.failure;
}

async function status({ dataDir, io, json, stores }: Call): Promise<number> {
  becomeOwner(dataDir, io.env);
  const again = commandFor(dataDir, 'platen cert install');
  const now = new Date();
  const part = await readPublicPart(dataDir, now);
  const problem = await readCertificate(dataDir, now).then(
    () => undefined,
    (error: unknown) => {
      if (error instanceof CertificateError) return error;
      throw error;
    },
  );
  const trust = part ? await whereTrusted(publicOf(part), await stores()) : [];
  const { usable, damaged, isTrusted } = await readCertificates(dataDir, now);
  const lasting = part ? lastingOf(part, usable, isTrusted, now) : undefined;
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
          lastsUntil: lasting?.until,
          lastsDays: lasting?.daysLeft,
          successors: (lasting?.successors ?? []).map(each => ({
            thumbprintSha1: each.thumbprintSha1,
            thumbprintSha256: each.thumbprintSha256,
            begins: each.begins,
            expires: each.expires,
            isTrusted: isTrusted(each),
          })),
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
    for (const each of lasting?.successors ?? [])
      io.out(
        `Followed by:          ${each.thumbprintSha1}, ${day(each.begins)} to ${day(each.expires)}${isTrusted(each) ? '' : ', not trusted yet'}`,
      );
    for (const { what } of damaged) io.err(`${what}. To replace it, run: ${again}.`);
    if (lasting && !problem && lasting.daysLeft < REMIND_DAYS)
      io.err(`The last certificate expires in ${lasting.daysLeft} days. To add successors, run: ${again}.`);
  }
  return problem ? exitCodes.certificate : exitCodes.ok;
}

async function remove({ dataDir, io, stores }: Call): Promise<number> {
  await checkDataFolder(dataDir);
  const parts = await readPublicParts(dataDir);
  const outcome = await distrust(dataDir, parts.map(publicOf), await stores());
  const code = tell(outcome, io);
  if (code !== exitCodes.ok) {
    io.err(
      'The certificates were kept, because a trust store still has one. Remove it there, then run this command again.',
    );
    return code;
  }
  try {
    // A link in the folder of another account leads root nowhere.
    becomeOwner(dataDir, io.env);
    const removed = await removeCertificate(dataDir);
    io.out(removed ? 'Removed the certificates. The service does not start without one.' : 'There was no certificate.');
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

/** The date, in UTC. */
const day = (date: Date): string => date.toISOString().slice(0, 10);

const publicOf = ({ cert: pem, thumbprintSha1: sha1, file }: PublicPart): PublicCertificate => ({ pem, sha1, file });
