/** Opens what consent needs: the files of the person and the administrator, the audit, and the token. */
import { messageOf, type Clock, type Log } from '@platen/core';
import type { Security } from '../config/schema.js';
import { openAdministratorsGrants } from './administrator.js';
import { openAudit } from './audit.js';
import { createConsent, type Consent } from './consent.js';
import { openGrantFolder } from './grantFolder.js';
import { localToken } from './localToken.js';

export interface ConsentSettings {
  readonly security: Pick<Security, 'origins' | 'localPrograms'>;
  readonly configFile: string;
  readonly dataDir: string;
  readonly clock: Clock;
  readonly log: Log;
}

/** @throws {ConfigError} if the administrator's file cannot be used, or the operating system's error for the token */
export async function openConsent({ security, configFile, dataDir, clock, log }: ConsentSettings): Promise<Consent> {
  const administrators = await openAdministratorsGrants(configFile, log);
  const token = security.localPrograms === 'token' ? await localToken(dataDir) : undefined;
  const audit = openAudit(
    dataDir,
    () => clock.now(),
    error => log.warn(`Could not write audit.log: ${messageOf(error)}`),
  );
  const folder = openGrantFolder(dataDir, log.warn);
  return createConsent({ security, folder, administrators, audit, clock, log, token });
}
