/** SHA-256, where the page may compute it. */

/** @returns lower-case hex; undefined in a page that is not a secure context */
export async function sha256Of(bytes: ArrayBuffer): Promise<string | undefined> {
  const subtle = (crypto as Partial<Crypto>).subtle;
  return subtle && hexOf(new Uint8Array(await subtle.digest('SHA-256', bytes)));
}

export const hexOf = (bytes: Uint8Array): string => [...bytes].map(byte => byte.toString(16).padStart(2, '0')).join('');
