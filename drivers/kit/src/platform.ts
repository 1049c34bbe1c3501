/** The operating system: on Windows a channel is a named pipe and files have no modes; elsewhere a channel is a Unix socket. */

/** As Node names it. */
export const platform: NodeJS.Platform = process.platform;
