/** What a Debian has: files, accounts, trust. For lists before and after. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

export interface Listing {
  /** Paths of files, links and folders, from the root. */
  readonly paths: ReadonlySet<string>;
  /** Lines of passwd, group, shadow and gshadow. */
  readonly accounts: readonly string[];
  /** The certificates that programs trust. */
  readonly trusted: string;
}

/** Not of the disk: mounts of the running system. */
const mounts = /^\/(dev|proc|run|sys|tmp|mnt)\//;

/** Paths that a system makes that was started, whatever is installed. */
const exceptions: readonly { readonly path: RegExp; readonly reason: string }[] = [
  { path: /^\/root\/(platen|next)\.deb$/, reason: "the test's own files" },
  { path: /^\/var\/log\/journal\//, reason: "systemd's journal" },
  {
    path: /^\/var\/lib\/systemd\/(linger|timers)(\/|$)/,
    reason: "systemd's record of sessions and of timers that ran",
  },
  { path: /^\/var\/tmp\/systemd-private-/, reason: "folders of systemd's own services while they run" },
  { path: /^\/var\/(backups|lib\/apt\/periodic)\//, reason: 'daily jobs of dpkg and apt, if one is due' },
];

export function listOf(folder: string): Listing {
  const paths = new Set<string>();
  const walk = (path: string): void => {
    for (const entry of readdirSync(join(folder, path), { withFileTypes: true })) {
      const own = `${path}/${entry.name}`;
      if (mounts.test(own)) continue;
      paths.add(own);
      if (entry.isDirectory()) walk(own);
    }
  };
  walk('');
  const read = (path: string): string => readFileSync(join(folder, path), 'utf8');
  const accounts = ['passwd', 'group', 'shadow', 'gshadow'].flatMap(name => read(`etc/${name}`).split('\n'));
  return { paths, accounts, trusted: read('etc/ssl/certs/ca-certificates.crt') };
}

export interface Difference {
  readonly added: readonly string[];
  readonly missing: readonly string[];
}

/** Between two listings, without the named exceptions. */
export function difference(before: Listing, after: Listing): Difference {
  const unexpected = (one: Listing, other: Listing): string[] =>
    [...one.paths].filter(path => !other.paths.has(path) && !exceptions.some(each => each.path.test(path))).sort();
  return { added: unexpected(after, before), missing: unexpected(before, after) };
}
