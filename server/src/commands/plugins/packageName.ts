/** How names of packages are spelled. */

/** Begins as npm lets new names begin: https://docs.npmjs.com/cli/configuring-npm/package-json#name. No option of npm does. */
export const NAME = String.raw`(?:@[a-z0-9~][a-z0-9._~-]*\/)?[a-z0-9~][a-z0-9._~-]*`;
const onlyName = new RegExp(`^${NAME}$`);

/** Whether it is the name of a package, without a version: it cannot lead out of a `node_modules`. */
export const isPackageName = (text: string): boolean => onlyName.test(text);
