/** The secret of `security.localPrograms: "token"`, as the client module stores it too. */

const key = (): string => `platen.pass:${location.origin}`;

/** Undefined if this browser has none. */
export function pass(): string | undefined {
  try {
    return localStorage.getItem(key()) ?? undefined;
  } catch {
    return undefined;
  }
}

export function keepPass(secret: string): void {
  try {
    localStorage.setItem(key(), secret);
  } catch {
    // Without storage, the service refuses, and the page says what to do.
  }
}
