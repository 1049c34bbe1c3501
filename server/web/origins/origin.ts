/** What a person should know about an origin before they answer. */

/** `http`: not encrypted. `local`: of this computer. `other`: of an extension. `letters`: a name with other letters than a to z. */
export type OriginNote = 'http' | 'local' | 'other' | 'letters';

/** Of `scheme://host:port`, as browsers send it; the whole of the rest for what has no port. */
function partsOf(origin: string): { readonly scheme: string; readonly host: string } {
  const [, scheme = '', rest = ''] = /^([^:]*):\/\/(.*)$/.exec(origin) ?? [];
  return { scheme, host: rest.replace(/:\d+$/, '') };
}

/** Whether it is a host that never leaves this computer. */
export function isLoopback(origin: string): boolean {
  const { host } = partsOf(origin);
  return /^(?:(?:.+\.)?localhost|127(?:\.\d{1,3}){3}|\[::1\])$/.test(host);
}

export function notesOf(origin: string): readonly OriginNote[] {
  const { scheme, host } = partsOf(origin);
  if (scheme !== 'http' && scheme !== 'https') return ['other'];
  const isLocal = isLoopback(origin);
  return [
    ...(isLocal ? (['local'] as const) : scheme === 'http' ? (['http'] as const) : []),
    ...(/(?:^|\.)xn--/.test(host) ? (['letters'] as const) : []),
  ];
}
