/** The kinds of packages: each is a folder of templates/. */

export const kinds = {
  typescript: 'a driver in TypeScript: over HTTP, or over an SDK for Node',
  native: 'a driver with a helper program in C or C++: over an SDK for C',
  format: 'an image format',
  recogniser: 'a recogniser: reads something on pages',
  processor: 'a processor: changes pages',
  document: 'a document format',
} as const;
export type Kind = keyof typeof kinds;

/** Folders of templates/shared, which a kind's own files go over. */
export const shared: Readonly<Record<Kind, readonly string[]>> = {
  typescript: ['package'],
  native: ['package'],
  format: ['package', 'page'],
  recogniser: ['package', 'page'],
  processor: ['package', 'page'],
  document: ['package', 'page'],
};

export const kindNames = Object.keys(kinds) as Kind[];

export function kindFault(kind: string): string | undefined {
  return isKind(kind) ? undefined : `"${kind}" is not a kind: it takes ${kindNames.join(', ')}.`;
}

export function isKind(kind: string): kind is Kind {
  return kindNames.some(each => each === kind);
}
