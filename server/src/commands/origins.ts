/** `platen origins`: which web pages may scan. Works on files; a running service notices within a second. */
import { systemClock } from '@platen/core';
import { ConfigError } from '../machine/configError.js';
import type { KnownGrant } from '../service/consent/standingGrants.js';
import { grantBody, GrantError, originIn, rights, rightsIn, scannersIn, type Grant } from '../service/consent/grant.js';
import { readToken, tokenFile } from '../service/consent/localToken.js';
import { printable } from '../machine/printable.js';
import { exitCodes } from '../machine/exitCodes.js';
import type { Io } from '../machine/io.js';
import { inData, openOriginsPlace, type OriginsPlace } from './origins/originsPlace.js';
import { assertVerb, command } from './command.js';

const help = `platen origins list [--json]
platen origins allow ORIGIN [--scanner NAME]... [--may RIGHTS] [--days N]
platen origins refuse ORIGIN
platen origins revoke ORIGIN
platen origins link

Which web pages may scan, where the configuration has "security": { "origins": "ask" }. ORIGIN is the start of a page's
address: https://app.example, with its port if it has one. Run it as the account that runs the service, with sudo, or
as administrator. A running service notices within a second.

list    the mode, and what was answered about which origin, by whom and until when
allow   pages of the origin may scan. Replaces what was answered before
refuse  they may not, and the person is not asked again
revoke  forgets the answer: the next time, the person is asked
link    prints the address of the page where a person answers

  --scanner NAME   only with this scanner; may be repeated
  --may RIGHTS     scan, auto-scan and settings (options of the scanner's driver), with commas; absent: scan
  --days N         for 1 to 3650 days; absent: until revoked
  --config FILE    the service's configuration (PLATEN_CONFIG); absent: that of the running service
  --json           {mode, localPrograms, config, administratorsFile, grants: [{origin, scanners, may, until?, by, at?}]}

The exit code is 1 if there is nothing to revoke, and for an origin about which an administrator's file decides.`;

const MOST_DAYS = 3650;
const DAY_MS = 86_400_000;

const options = {
  scanner: { type: 'string', multiple: true },
  may: { type: 'string' },
  days: { type: 'string' },
  config: { type: 'string' },
  json: { type: 'boolean' },
} as const;

/** The command that a flag belongs to. */
const owners = { scanner: 'allow', may: 'allow', days: 'allow', json: 'list' } as const;

export const origins = command(
  { help, exits: ['configuration'], options, allowPositionals: true },
  async ({ values, positionals, io }): Promise<number | 'usage'> => {
    const [verb = '', given, ...rest] = positionals;
    assertVerb('origins', verb, ['list', 'link', 'allow', 'refuse', 'revoke']);
    const takesOrigin = /^(?:allow|refuse|revoke)$/.test(verb);
    const isKnown = takesOrigin ? given !== undefined : /^(?:list|link)$/.test(verb) && given === undefined;
    if (!isKnown || rest.length > 0) return 'usage';
    for (const [flag, owner] of Object.entries(owners))
      if (values[flag as keyof typeof owners] !== undefined && verb !== owner)
        throw usage(`--${flag} belongs to "platen origins ${owner}", not to "platen origins ${verb}".`);
    const origin = given === undefined ? '' : originOf(given);
    const grant = verb === 'allow' ? grantOf(origin, values) : { origin, scanners: '*' as const, may: [] };
    const place = await openOriginsPlace(values, io);
    try {
      if (verb === 'list') return list(place, io, values.json === true);
      if (verb === 'link') return await link(place, io);
      return decide(verb, grant, place, io);
    } catch (error) {
      throw inData(place.dataDir, error);
    }
  },
);

function decide(verb: string, grant: Grant, place: OriginsPlace, io: Io): number {
  const { consent, administratorsFile, configFile } = place;
  const { origin } = grant;
  if (consent.isFixed(origin)) {
    io.err(`An administrator's file decides about ${origin}: only a change of ${administratorsFile} changes it.`);
    return exitCodes.failure;
  }
  if (verb === 'revoke') {
    if (consent.revoke(origin, 'command')) {
      io.out(`Revoked what was answered about ${origin}.`);
      return exitCodes.ok;
    }
    const isListed = consent.grants().some(each => each.origin === origin);
    io.err(
      isListed
        ? `${configFile} lists ${origin} in security.origins: remove it there, then restart the service.`
        : `Nothing was answered about ${origin}. "platen origins list" shows what was.`,
    );
    return exitCodes.failure;
  }
  consent.answer(grant, 'command');
  io.out(
    printable(verb === 'refuse' ? `Refused ${origin}: nobody is asked again.` : `Allowed ${origin}: ${what(grant)}.`),
  );
  if (consent.mode !== 'ask')
    io.err(
      `This counts once ${configFile} has "security": { "origins": "ask" }. Now ${modes[consent.mode]}, whatever is answered here.`,
    );
  else if (consent.localPrograms === 'token' && verb === 'allow')
    io.err(
      'With security.localPrograms "token", pages of each browser must also be allowed on the service\'s page, which gives them their proof: platen origins link.',
    );
  return exitCodes.ok;
}

const modes = {
  open: 'every web page may scan',
  list: 'the pages that the configuration lists may scan, and no others',
  ask: 'a web page may scan after a person, or an administrator, allowed it',
} as const;

function list({ consent, security, configFile, administratorsFile }: OriginsPlace, io: Io, json: boolean): number {
  const { mode } = consent;
  const { localPrograms } = security;
  const grants = consent.grants();
  if (json) {
    const all = grants.map(({ by, at, ...grant }) => ({
      ...grantBody(grant),
      by,
      ...(at === undefined ? {} : { at: new Date(at).toISOString() }),
    }));
    io.out(JSON.stringify({ mode, localPrograms, config: configFile, administratorsFile, grants: all }, null, 2));
    return exitCodes.ok;
  }
  io.out(`Mode "${mode}": ${modes[mode]} (${configFile}).`);
  if (localPrograms === 'token') io.out('Local programs need the token.');
  const width = Math.max(...grants.map(({ origin }) => origin.length));
  for (const grant of grants)
    io.out(printable(`${grant.origin.padEnd(width)}  ${what(grant)}; ${whose(grant, administratorsFile)}`));
  if (grants.length === 0) io.out('Nothing was answered about any origin.');
  if (mode === 'open' && grants.length > 0) io.out('In mode "open", none of this counts.');
  return exitCodes.ok;
}

async function link({ dataDir, security, address: { host, port } }: OriginsPlace, io: Io): Promise<number> {
  if (port === 0)
    throw new ConfigError('The configuration lets the service take any free port. Start the service, then run this.');
  const page = `https://${host}:${port}/origins/`;
  if (security.localPrograms !== 'token') {
    io.out(page);
    return exitCodes.ok;
  }
  const token = await readToken(dataDir);
  if (token === undefined)
    throw new ConfigError(`There is no token in ${tokenFile(dataDir)} yet: the service makes it when it starts.`);
  io.out(`${page}#token=${token}`);
  return exitCodes.ok;
}

function what({ may, scanners, until }: Grant): string {
  if (may.length === 0) return 'refused';
  const which = scanners === '*' ? 'all scanners' : scanners.map(each => `"${each}"`).join(', ');
  return `${may.join(', ')}; ${which}; ${until === undefined ? 'until revoked' : `until ${new Date(until).toISOString()}`}`;
}

function whose({ by, at }: KnownGrant, administratorsFile: string): string {
  if (by === 'file') return `by an administrator, in ${administratorsFile}`;
  if (by === 'configuration') return 'by the configuration';
  const when = at === undefined ? '' : `, ${new Date(at).toISOString()}`;
  return `${by === 'page' ? 'by a person' : 'by this command'}${when}`;
}

function originOf(text: string): string {
  try {
    return originIn(text);
  } catch (error) {
    throw error instanceof GrantError
      ? usage(`ORIGIN takes ${error.takes}, not ${printable(JSON.stringify(text))}.`)
      : error;
  }
}

function grantOf(
  origin: string,
  { scanner, may, days }: { scanner?: string[] | undefined; may?: string | undefined; days?: string | undefined },
): Grant {
  try {
    // A page that may scan nothing has no use for the rest.
    const wanted = rightsIn(['scan', ...(may ?? 'scan').split(',').map(each => each.trim())], '--may');
    return {
      origin,
      scanners: scanner === undefined || scanner.includes('*') ? '*' : scannersIn(scanner),
      may: wanted,
      until: untilOf(days),
    };
  } catch (error) {
    if (error instanceof GrantError && error.field === '--may')
      throw usage(`--may takes ${rights.join(', ')}, with commas between them, not ${JSON.stringify(may)}.`);
    throw error instanceof GrantError ? usage('--scanner takes the name of a scanner; at most 100 times.') : error;
  }
}

function untilOf(days: string | undefined): number | undefined {
  if (days === undefined) return undefined;
  const number = /^\d{1,4}$/.test(days) ? Number(days) : 0;
  if (number < 1 || number > MOST_DAYS)
    throw usage(`--days takes a number from 1 to ${MOST_DAYS}, not ${JSON.stringify(days)}.`);
  return systemClock.now() + number * DAY_MS;
}

const usage = (sentence: string): ConfigError => new ConfigError(sentence, { code: 'usage' });
