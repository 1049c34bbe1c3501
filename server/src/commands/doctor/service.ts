/** The doctor's checks of the service: its process, its port, and its answers. */
import { setTimeout } from 'node:timers/promises';
import { dataFolderHolder } from '../../machine/dataFolder/lock.js';
import { startOf } from '../../machine/linuxService.js';
import { tokenFile } from '../../service/consent/localToken.js';
import { statusOf } from '../../service/http/errors.js';
import { fourPartVersion } from '../../machine/version.js';
import { ask, NoReply, type Question, type Reply } from '../../machine/ask.js';
import type { Facts } from './facts.js';
import { failed, notReached, ok, type Outcome } from './finding.js';

/** The address of the service's calls, with a host name that it answers to, and the token once it has proved itself. */
export const questionOf = (facts: Facts): Pick<Question, 'port' | 'host' | 'certificate' | 'headers'> => ({
  port: facts.port ?? 0,
  host: facts.config?.security.allowedHosts[0] ?? 'localhost',
  ...facts.proof,
});

export async function running(facts: Facts): Promise<Outcome> {
  const { dataDir, certificateValid } = facts;
  if (dataDir === undefined) return notReached('the data folder');
  const holder = (facts.holder = await dataFolderHolder(dataDir));
  if (holder.alive) return ok(holder.pid === undefined ? 'running' : `process ${holder.pid}`);
  return failed(
    `No service uses the data folder ${dataDir}.`,
    `${certificateValid ? 'Start it' : 'Fix the certificate, then start it'}: ${startOf(dataDir)}.`,
  );
}

export async function port(facts: Facts): Promise<Outcome> {
  const { port: number, holder, certificates = [] } = facts;
  if (number === undefined) return notReached('the configuration, which sets the port');
  if (number === 0)
    return failed(
      'The configuration lets the service take any free port.',
      'Pass the port that the service printed when it started: platen doctor --port N.',
    );
  const taken =
    'Stop it, or give the service another port: --port, PLATEN_PORT, or "listen.port" in the configuration.';
  let reply: Reply;
  try {
    reply = await ask({ ...questionOf(facts), path: '/' });
  } catch (error) {
    if (!(error instanceof NoReply)) throw error;
    if (error.trouble === 'refused') {
      return failed(
        `Nothing listens on port ${number}.`,
        holder?.alive
          ? 'The service is still starting, or has another port: pass that with --port.'
          : `Start the service: ${startOf(facts.settings.dataDir)}.`,
      );
    }
    if (holder?.alive && error.trouble === 'silent')
      return failed(`The program on port ${number} does not answer.`, 'If it is the service, it hangs: restart it.');
    return failed(
      `Another program has port ${number}: ${error.trouble === 'silent' ? 'it does not answer' : `it does not speak HTTPS (${error.message})`}.`,
      taken,
    );
  }
  if (!isPlaten(reply)) return failed(`Another program has port ${number}: it speaks HTTPS, but is not Platen.`, taken);
  facts.root = reply;
  if (certificates.length > 0 && !certificates.some(each => each.thumbprintSha256 === reply.thumbprint)) {
    return holder?.alive
      ? failed(
          `The service on port ${number} uses another certificate than the one in its data folder.`,
          'The certificate was replaced. The service uses the new one within an hour; to use it now, restart the service.',
        )
      : failed(
          `Port ${number} belongs to a Platen service with another data folder.`,
          'Set PLATEN_DATA_DIR to its folder and run this as its account, or stop it.',
        );
  }
  if (certificates.length > 0 && facts.certificateValid && facts.token !== undefined)
    facts.proof = {
      certificate: certificates.map(({ cert }) => cert).join(''),
      headers: { authorization: `Bearer ${facts.token}` },
    };
  return ok(`https://localhost:${number} is the service's`);
}

export async function root({ root: reply }: Facts): Promise<Outcome> {
  if (!reply) return notReached('the port');
  const { service, version } = reply.json as { service: string; version: string };
  const own = fourPartVersion();
  return ok(version === own ? `${service} ${version}` : `${service} ${version}; this command is ${own}`);
}

export async function health(facts: Facts): Promise<Outcome> {
  if (!facts.root) return notReached('the service');
  const { text } = await ask({ ...questionOf(facts), path: '/health' });
  if (text === 'Healthy') return ok(text);
  if (text === 'Degraded')
    return failed(`${text}: the desktop application is not connected.`, 'Start it on this computer: platen host.');
  return failed(
    text === 'Unhealthy' ? 'Unhealthy: the check itself failed.' : 'The answer is not Healthy, Degraded or Unhealthy.',
    "See the service's log. Most often the data folder is gone, full or not writable.",
  );
}

export async function scanners(facts: Facts): Promise<Outcome> {
  if (!facts.root) return notReached('the service');
  const searches = await searched(facts);
  const { status, json } = await ask({ ...questionOf(facts), path: '/api/twain/scanners' });
  const { scanners: found, error = 'The answer is not a list of scanners.' } = (json ?? {}) as {
    scanners?: { name: string; isOnline: boolean }[];
    error?: string;
  };
  if (status === statusOf('not-connected'))
    return failed(error, 'Start the desktop application on this computer: platen host.');
  if (status === statusOf('token-required'))
    return failed(
      error,
      facts.token === undefined
        ? `There is no token in ${tokenFile(facts.settings.dataDir)} that this account can read. Run this as the account that runs the service; if it is, restart the service.`
        : 'The service has another token than its data folder. Restart the service.',
    );
  if (!Array.isArray(found)) return failed(error, "See the service's log.");
  facts.scanners = found;
  const troubled = troubledDrivers(searches);
  if (found.length === 0) {
    if (troubled) return failed(`The list is empty. ${troubled.sentence}`, troubled.remedy);
    return failed(
      'The list is empty.',
      "Connect a scanner and switch it on, or install its driver. Platen's driver is a plugin in the configuration: see Plugins above.",
    );
  }
  const names = found.map(({ name, isOnline }) => (isOnline ? name : `${name} (offline)`)).join(', ');
  if (!found.some(({ isOnline }) => isOnline))
    return failed(
      `No scanner is online: ${names}.`,
      'A scanner stays listed while it is disconnected: switch one on, check its cable, or install its driver.',
    );
  if (troubled) return failed(`${names}. ${troubled.sentence}`, troubled.remedy);
  return ok(names);
}

/** Core gives up a search after 30 s (core/src/devices/listing.ts): after it, a driver hangs. */
const SEARCH_MS = 35_000;
const ASK_AGAIN_MS = 500;

/** What a service says of its drivers' searches; one of another release may not. */
interface Searches {
  readonly slowDrivers?: readonly string[];
  readonly listingFailures?: readonly { readonly driver: string; readonly message: string }[];
}

/** After a start, drivers still look for their scanners: the doctor of a rollout must not call that a fault. */
async function searched({ searchMs = SEARCH_MS, ...facts }: Facts): Promise<Searches> {
  const until = performance.now() + searchMs;
  for (;;) {
    const { json } = await ask({ ...questionOf(facts), path: '/app/scanners' });
    const searches = (json ?? {}) as Searches;
    if ((searches.slowDrivers ?? []).length === 0 || performance.now() >= until) return searches;
    await setTimeout(ASK_AGAIN_MS);
  }
}

const slowRemedy =
  'Scanners that only this driver finds may be missing. Check what it waits for: a device that does not answer, or a network that is down. If you do not need the driver, set "enabled": false on its plugin.';

/** The drivers whose searches fail, find only some scanners or take too long to wait for, with the fix. */
function troubledDrivers({
  slowDrivers: slow = [],
  listingFailures: failures = [],
}: Searches): { sentence: string; remedy: string } | undefined {
  const named = (ids: readonly string[]): string => ids.map(id => `the driver "${id}"`).join(', ');
  const sentences = [
    ...(failures.length > 0 ? [`Scanners may be missing: ${named(failures.map(({ driver }) => driver))}.`] : []),
    ...(slow.length > 0 ? [`Still looking for scanners: ${named(slow)}.`] : []),
  ];
  if (sentences.length === 0) return undefined;
  const remedies = [...failures.map(({ message }) => message), ...(slow.length > 0 ? [slowRemedy] : [])];
  return { sentence: sentences.join(' '), remedy: remedies.join('\n') };
}

/** Whether this is the interface's Root info, from Platen. */
function isPlaten({ status, json }: Reply): boolean {
  const { service, version, status: state, timestamp } = (json ?? {}) as Record<string, unknown>;
  return (
    status === statusOf(undefined) &&
    service === 'Platen' &&
    [version, state, timestamp].every(each => typeof each === 'string')
  );
}
