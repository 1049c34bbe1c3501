/** The operating system and the account that the service runs on; the rest of the server asks here only. */
import { userInfo } from 'node:os';

/** As Node names it. */
export const platform: NodeJS.Platform = process.platform;

/** Whether this process is root's by now. False on Windows, where the account's groups make an administrator. */
export const isRoot = (): boolean => process.geteuid?.() === 0;

/** Whether a person can log in to the account that runs this process, unlike to a service's. */
export function isPersons(): boolean {
  try {
    return !/(?:^|\/)(?:nologin|false)$/.test(userInfo().shell ?? '');
  } catch {
    // The account is only a number.
    return false;
  }
}
