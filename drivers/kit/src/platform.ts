/** The operating system: a channel is a named pipe on Windows and a Unix socket elsewhere, and only there have files modes. */

/** As Node names it. */
export const platform: NodeJS.Platform = process.platform;
