/** The doctor's check of web pages: which may scan, and the files that say so. */
import { join } from 'node:path';
import { messageOf } from '@platen/core';
import { ConfigError } from '../../machine/configError.js';
import type { KnownGrant } from '../../service/consent/standingGrants.js';
import { readToken, tokenFile } from '../../service/consent/localToken.js';
import { readConsent } from '../../service/consent/open.js';
import type { Facts } from './facts.js';
import { failed, notReached, ok, type Outcome } from './finding.js';

const ownFile = 'It must belong to the account that runs the service.';

export async function origins(facts: Facts): Promise<Outcome> {
  const { config, dataDir } = facts;
  if (dataDir === undefined) return notReached('the data folder');
  try {
    const token = await readToken(dataDir);
    if (token !== undefined) facts.token = token;
  } catch (error) {
    return failed(`This account cannot read ${tokenFile(dataDir)}: ${messageOf(error)}`, ownFile);
  }
  if (!config) return notReached('the configuration');
  const { security, file } = config;
  const damaged: string[] = [];
  let grants: readonly KnownGrant[];
  try {
    const warn = (sentence: string): void => void damaged.push(sentence);
    grants = (await readConsent({ security, configFile: file, dataDir }, warn)).grants();
  } catch (error) {
    if (error instanceof ConfigError)
      return failed("The administrator's file was rejected: the service does not start with it.", error.message);
    return failed(`The folder ${join(dataDir, 'origins')} cannot be read: ${messageOf(error)}`, ownFile);
  }
  if (damaged.length > 0)
    return failed(
      'Not all answers about web pages can be read: these pages must ask again.',
      [...damaged, 'Remove the files that are named.'].join('\n'),
    );
  const token = security.localPrograms === 'token' ? '. Local programs need the token' : '';
  if (security.origins === 'open')
    return {
      ...ok(`open: any web page may scan${token}`),
      remedy: `To be asked about each, once: "security": { "origins": "ask" } in ${file}, then restart the service.`,
    };
  return ok(`${security.origins === 'ask' ? 'ask' : 'a list'}: ${counted(grants)}${token}`);
}

function counted(grants: readonly KnownGrant[]): string {
  const refused = grants.filter(({ may }) => may.length === 0).length;
  const fixed = grants.filter(({ by }) => by === 'file').length;
  return [
    `${grants.length - refused} allowed`,
    ...(refused > 0 ? [`${refused} refused`] : []),
    ...(fixed > 0 ? [`${fixed} of them by an administrator`] : []),
  ].join(', ');
}
