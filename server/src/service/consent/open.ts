/** Opens what consent needs: the files of the person and the administrator, the audit, and the token. */
import { messageOf, systemClock, type Clock, type Log } from '@platen/core';
import type { Security } from '../../machine/config/schema.js';
import { administratorsFile, openAdministratorsGrants, readAdministratorsGrants } from './administrator.js';
import { openAudit, type AuditLine } from './audit.js';
import { createConsent, type Consent } from './consent.js';
import { openGrantFolder } from './grantFolder.js';
import { localToken } from './localToken.js';

export interface ConsentSettings {
  readonly security: Pick<Security, 'origins' | 'localPrograms'>;
  readonly configFile: string;
  readonly dataDir: string;
  readonly clock: Clock;
  readonly log: Log;
  /** Called with each line of the audit. */
  audited?(line: AuditLine): void;
}

/** @throws {ConfigError} if the administrator's file cannot be used, or the operating system's error for the token */
export async function openConsent(settings: ConsentSettings): Promise<Consent> {
  const { security, configFile, dataDir, clock, log, audited } = settings;
  const administrators = await openAdministratorsGrants(configFile, log);
  const token = security.localPrograms === 'token' ? await localToken(dataDir) : undefined;
  const write = openAudit(
    dataDir,
    () => clock.now(),
    error => log.warn(`Could not write audit.log: ${messageOf(error)}`),
  );
  const audit = (line: AuditLine): void => {
    audited?.(line);
    write(line);
  };
  const folder = openGrantFolder(dataDir, log.warn);
  return createConsent({ security, folder, administrators, audit, clock, log, token });
}

/**
 * The same for a command, which looks at the files once: without the token, and nothing to close.
 * @param warn takes sentences about files that are damaged or cannot be written
 * @throws {ConfigError} if the administrator's file cannot be used
 */
export async function readConsent(
  { security, configFile, dataDir }: Pick<ConsentSettings, 'security' | 'configFile' | 'dataDir'>,
  warn: (sentence: string) => void,
): Promise<Consent> {
  const fixed = await readAdministratorsGrants(administratorsFile(configFile), warn);
  return createConsent({
    security,
    folder: openGrantFolder(dataDir, warn),
    administrators: { read: () => fixed, close: () => undefined },
    audit: openAudit(
      dataDir,
      () => systemClock.now(),
      error => warn(`Could not write audit.log: ${messageOf(error)}`),
    ),
    clock: systemClock,
    log: { warn },
    token: undefined,
  });
}
