/** The operating system and the account that the service runs on; all else in the server is told, and asks nobody. */

/** As Node names it. */
export const platform: NodeJS.Platform = process.platform;

/** Whether this process is root's. False on Windows, where the account's groups say who is an administrator. */
export const isRoot: boolean = process.geteuid?.() === 0;
