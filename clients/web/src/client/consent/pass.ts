/** A page's pass: the secret with which it proves itself, where the service wants one (`localPrograms: "token"`). */

/** Where the browser keeps nothing for the page. */
const passes = new Map<string, string>();

const nameOf = (baseUrl: string): string => `platen.pass:${baseUrl}`;

/** Undefined in Node, which may have a storage, too: a program has a token. */
const storage = (): Storage | undefined => (typeof document === 'undefined' ? undefined : localStorage);

/** Undefined if there is none. */
export function passOf(baseUrl: string): string | null | undefined {
  try {
    return passes.get(baseUrl) ?? storage()?.getItem(nameOf(baseUrl));
  } catch {
    return undefined;
  }
}

/** This page has it from now on; others of its origin, if the browser keeps it. */
export function keepPass(baseUrl: string, pass: string): void {
  passes.set(baseUrl, pass);
  try {
    storage()?.setItem(nameOf(baseUrl), pass);
  } catch {
    // Storage is forbidden or full: it is lost with the page.
  }
}

/** Another page of this origin may have a newer one. */
export const forgetPass = (baseUrl: string): void => void passes.delete(baseUrl);
