/**
 * Takes out of a trace what names a device, its network or its owner. The same text gets the same pseudonym, so that a
 * trace still replays: the address of a job is the one that was asked for.
 */
import type { Alias } from '@platen/core';

export interface Pseudonyms {
  /** For a text that is nobody's business: `test:text-1`. The backend or scheme before it stays. */
  readonly alias: Alias;
  /** A value of JSON with pseudonyms within its texts. */
  of<T>(value: T): T;
}

/** Names from the ranges for documentation: RFC 2606, RFC 5737, RFC 3849; a MAC address that is locally administered. */
const kinds: readonly (readonly [RegExp, (n: number) => string])[] = [
  [
    /[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/gi,
    n => `00000000-0000-4000-8000-${String(n).padStart(12, '0')}`,
  ],
  [/\b(?:[0-9a-f]{2}[:-]){5}[0-9a-f]{2}\b/gi, n => `02:00:00:00:00:${(n % 256).toString(16).padStart(2, '0')}`],
  [/(?<![\d.])(?!127\.)(?:\d{1,3}\.){3}\d{1,3}(?![\d.])/g, n => `192.0.2.${n % 256}`],
  [/(?<![\w:])(?:[0-9a-f]{0,4}:){2,7}[0-9a-f]{1,4}(?:%25?\w+|%\w+)?(?![\w:])/gi, n => `2001:db8::${n.toString(16)}`],
  [/[\w-]+(?:\.[\w-]+)*\.(?:local|lan|home|fritz\.box)\b/gi, n => `scanner-${n}.local`],
];

/** The host of an address, which is no namespace of XML. */
const host = /(?<!xmlns(?::[\w.-]+)?=["'])(https?:\/\/)(?!\d|\[|localhost\b|scanner-\d)([^\s/:"'<>?#]+)/gi;

const removed: readonly (readonly [RegExp, string])[] = [
  [/(\/\/)[^\s/@"']+@/g, '$1'],
  [/[\w.+-]+@[\w-]+(?:\.[\w-]+)+/g, '(removed)'],
  [/(serial(?:[ _-]?(?:number|num|no|nr)\b\.?)?\s*[:=]\s*)[^\s;,<"']+/gi, '$1(removed)'],
  // HP puts the end of the MAC address behind the model: [B37F21].
  [/([[(])[0-9A-F]{6}([\])])/g, '$1000000$2'],
];

export function createPseudonyms(): Pseudonyms {
  const known = new Map<string, string>();
  const counts = new Map<(n: number) => string, number>();

  function given(text: string, make: (n: number) => string): string {
    const before = known.get(text);
    if (before !== undefined) return before;
    const n = (counts.get(make) ?? 0) + 1;
    counts.set(make, n);
    const name = make(n);
    known.set(text, name);
    // A pseudonym that comes back from the device is its own.
    known.set(name, name);
    return name;
  }

  const textName = (n: number): string => `text-${n}`;
  const hostName = (n: number): string => `scanner-${n}.invalid`;

  function within(text: string): string {
    const without = removed.reduce((said, [found, instead]) => said.replace(found, instead), text);
    const named = kinds.reduce(
      (said, [found, make]) => said.replace(found, each => given(each.toLowerCase(), make)),
      without,
    );
    return named.replace(host, (_, scheme: string, name: string) => scheme + given(name.toLowerCase(), hostName));
  }

  function of(value: unknown): unknown {
    if (typeof value === 'string') return within(value);
    if (Array.isArray(value)) return value.map(of);
    if (typeof value !== 'object' || value === null) return value;
    return Object.fromEntries(Object.entries(value).map(([key, each]) => [key, of(each)]));
  }

  return {
    alias(text) {
      if (text === '') return '';
      const [, prefix = '', rest = ''] = /^([a-z][a-z0-9_-]{0,19}:|)(.*)$/is.exec(text) ?? [];
      return prefix + given(rest, textName);
    },
    of: of as Pseudonyms['of'],
  };
}
