/** What a new package may be called, and what follows from its name. */
import { builtinModules } from 'node:module';

/** @returns the name without its scope: the name of the folder */
export function shortName(name: string): string {
  return name.slice(name.indexOf('/') + 1);
}

/** `acme-f100` gives `Acme F100`. */
export function titleOf(name: string): string {
  return shortName(name)
    .split(/[-._~]+/)
    .filter(word => word !== '')
    .map(word => word.charAt(0).toUpperCase() + word.slice(1))
    .join(' ');
}

/** As npm accepts it for a new package. */
const packageName = /^(?:@[a-z0-9~][a-z0-9-._~]*\/)?[a-z0-9~][a-z0-9-._~]*$/;
/** Devices of Windows: no folder can have such a name. */
const windowsDevice = /^(?:con|prn|aux|nul|com\d|lpt\d)(?:\.|$)/;

/** What is wrong with a value, in a sentence with what is accepted; undefined: nothing. */
export type Check = (value: string) => string | undefined;

export const nameFault: Check = name => {
  const fits =
    packageName.test(name) &&
    name.length <= 214 &&
    !windowsDevice.test(shortName(name)) &&
    !builtinModules.includes(name) &&
    !/[.]$/.test(name) &&
    name !== 'node_modules' &&
    name !== 'favicon.ico';
  if (fits) return undefined;
  return `"${name}" is not a name for a new npm package: it takes lower-case letters, digits, "-", "." and "_", with or without a scope, such as acme-f100 or @acme/f100.`;
};

/** Titles stand in source code, JSON and Markdown, so they have no character that means something there. */
export const titleFault: Check = title =>
  /^[\p{L}\p{N}][\p{L}\p{N} .,()+/-]{0,79}$/u.test(title)
    ? undefined
    : `"${title}" is not a title: it takes 1 to 80 letters, digits, spaces and . , ( ) + / -, such as Acme F100.`;

export const idFault: Check = id =>
  /^[a-z0-9][a-z0-9-]{0,63}$/.test(id)
    ? undefined
    : `"${id}" is not an id: it takes 1 to 64 lower-case letters, digits and "-", such as acme-f100.`;

/** The id that a package name suggests. */
export function idOf(name: string): string {
  return (
    shortName(name)
      .replace(/[^a-z0-9]+/g, '-')
      .replace(/^-+|-+$/g, '')
      .slice(0, 64) || 'acme'
  );
}
