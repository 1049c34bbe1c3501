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

/** What every installation and every start changes: logs, caches, the package manager's own lists, systemd's state. */
const volatile =
  /^\/(dev|proc|run|sys|tmp|mnt|root|var\/(cache|log|tmp|lib\/(apt|dpkg|systemd|ucf)|backups)|etc\/(machine-id|resolv\.conf|ld\.so\.cache))(\/|$)/;

export function listOf(folder: string): Listing {
  const paths = new Set<string>();
  const walk = (path: string): void => {
    for (const entry of readdirSync(join(folder, path), { withFileTypes: true })) {
      const own = `${path}/${entry.name}`;
      if (volatile.test(own)) continue;
      paths.add(own);
      if (entry.isDirectory()) walk(own);
    }
  };
  walk('');
  const read = (path: string): string => readFileSync(join(folder, path), 'utf8');
  const accounts = ['passwd', 'group', 'shadow', 'gshadow'].flatMap(name => read(`etc/${name}`).split('\n'));
  return { paths, accounts, trusted: read('etc/ssl/certs/ca-certificates.crt') };
}

/** Paths that the packages of this Debian have installed, as dpkg lists them. */
export function packagedPaths(folder: string): ReadonlySet<string> {
  const info = join(folder, 'var', 'lib', 'dpkg', 'info');
  const lists = readdirSync(info).filter(name => name.endsWith('.list'));
  const paths = lists.flatMap(name => readFileSync(join(info, name), 'utf8').split('\n'));
  // Packages still name /lib and /bin, which are links into /usr.
  return new Set(paths.map(path => path.replace(/^\/(bin|lib|lib64|sbin)\//, '/usr/$1/')));
}
