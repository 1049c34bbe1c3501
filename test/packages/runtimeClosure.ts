/** The packages that an installation of a workspace takes at run time, by the lock of the dependencies. */

export interface Entry {
  readonly version?: string;
  /** The lock's mark of a workspace: `resolved` is its folder. */
  readonly link?: boolean;
  readonly resolved?: string;
  readonly dependencies?: Readonly<Record<string, string>>;
  readonly optionalDependencies?: Readonly<Record<string, string>>;
  readonly peerDependencies?: Readonly<Record<string, string>>;
  readonly peerDependenciesMeta?: Readonly<Record<string, { readonly optional?: boolean }>>;
  readonly engines?: Readonly<Record<string, string>>;
  readonly hasInstallScript?: boolean;
  readonly os?: readonly string[];
  readonly cpu?: readonly string[];
  readonly libc?: readonly string[];
}

/** The part `packages` of a package-lock.json, version 3: from a folder to its package. */
export type Lock = Readonly<Record<string, Entry>>;

export interface Platform {
  readonly os: string;
  readonly cpu: string;
  /** Absent where there is none to choose. */
  readonly libc?: string;
}

/**
 * @param from a workspace's folder
 * @returns the lock's entries by their folders: workspaces and third parties' packages
 */
export function runtimeClosure(lock: Lock, from: string, platform: Platform): Map<string, Entry> {
  const found = new Map<string, Entry>();
  const visit = (folder: string): void => {
    const entry = lock[folder];
    if (!entry) throw new Error(`The lock has no ${folder}`);
    if (entry.link) return visit(entry.resolved ?? '');
    if (found.has(folder) || !installs(entry, platform)) return;
    found.set(folder, entry);
    const { dependencies = {}, optionalDependencies = {}, peerDependencies = {}, peerDependenciesMeta = {} } = entry;
    const peers = Object.keys(peerDependencies).filter(name => !peerDependenciesMeta[name]?.optional);
    for (const name of [...Object.keys(dependencies), ...peers]) {
      const place = placeOf(lock, folder, name);
      if (place === undefined) throw new Error(`The lock lacks ${name}, which ${folder} depends on`);
      visit(place);
    }
    for (const name of Object.keys(optionalDependencies)) {
      const place = placeOf(lock, folder, name);
      if (place !== undefined) visit(place);
    }
  };
  visit(from);
  return found;
}

export const isThirdParty = (folder: string): boolean => folder.includes('node_modules/');

/** As npm reads `os`, `cpu` and `libc`: a list of what fits, or of what does not, with `!`. */
function installs({ os, cpu, libc }: Entry, platform: Platform): boolean {
  const fits = (accepted: readonly string[] | undefined, own: string | undefined): boolean =>
    accepted === undefined ||
    (own !== undefined && !accepted.includes(`!${own}`) && (accepted.includes(own) || accepted.every(isExclusion)));
  return fits(os, platform.os) && fits(cpu, platform.cpu) && fits(libc, platform.libc);
}

const isExclusion = (word: string): boolean => word.startsWith('!');

/** Where Node finds a package: in `node_modules` of the folder, or of a folder around it. */
function placeOf(lock: Lock, from: string, name: string): string | undefined {
  for (let folder = from; ; folder = folder.slice(0, Math.max(0, folder.lastIndexOf('/')))) {
    const place = `${folder === '' ? '' : `${folder}/`}node_modules/${name}`;
    if (lock[place]) return place;
    if (folder === '') return undefined;
  }
}

/** What an installation must not have; a sentence each. */
export function objections(
  closure: ReadonlyMap<string, Entry>,
  { limit, takesNode }: { readonly limit: number; takesNode(range: string): boolean },
): string[] {
  const third = [...closure].filter(([folder]) => isThirdParty(folder));
  const own = [...closure].filter(([folder]) => !isThirdParty(folder));
  return [
    ...(third.length > limit ? [`${third.length} third-party packages, more than ${limit}`] : []),
    ...third
      .filter(([, { hasInstallScript }]) => hasInstallScript)
      .map(([folder]) => `${folder} has an install script`),
    ...[...closure]
      .filter(([, { engines }]) => engines?.['node'] !== undefined && !takesNode(engines['node']))
      .map(([folder, { engines }]) => `${folder} needs Node ${engines?.['node']}`),
    ...own.flatMap(([folder, { dependencies = {} }]) =>
      Object.entries(dependencies)
        .filter(([, range]) => !/^\d+\.\d+\.\d+$/.test(range))
        .map(([name, range]) => `${folder} takes ${name} ${range}, which is not an exact version`),
    ),
  ];
}
