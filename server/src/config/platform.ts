/** The operating system and the account that the service runs on; the rest of the server asks here only. */

/** As Node names it. */
export const platform: NodeJS.Platform = process.platform;

/** Whether this process is root's. False on Windows, where the account's groups make an administrator. */
export const isRoot: boolean = process.geteuid?.() === 0;
