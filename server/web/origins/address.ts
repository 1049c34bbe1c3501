/** What the part of the page's address behind `#` means. */

export interface Target {
  /** The proof that `platen origins link` prints. */
  readonly token?: string;
  /** The question to which a web page sent the person. */
  readonly id?: string;
}

export function targetIn(hash: string): Target {
  const text = hash.replace(/^#/, '');
  const token = new URLSearchParams(text).get('token');
  if (token) return { token };
  return text === '' || text.includes('=') ? {} : { id: text };
}
