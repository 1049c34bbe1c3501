/**
 * The certificate databases of browsers on Linux (NSS), through NSS's certutil. The certificate is a leaf, not an
 * authority: Chromium accepts it as a trusted peer (`P`) and rejects it as an authority; Firefox does the opposite
 * (`C`). Tested with Chromium 156 and Firefox 153.
 */
import { mkdir, readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import type { PublicCertificate, TrustStore } from './store.js';
import { must, type Tools } from './tool.js';

const certutil = 'certutil';
const missing =
  'it writes the certificate databases of browsers on Linux; on Debian it is in the package libnss3-tools';

export interface NssDatabase {
  readonly dir: string;
  readonly browser: 'Chromium' | 'Firefox';
}

const flagsOf = { Chromium: 'P,,', Firefox: 'C,,' } as const;

/**
 * The databases in a home, Chromium's first.
 * @param browses whether the account may use Chromium: if it has no database yet, the one that it would use is among them
 */
export async function nssDatabases(home: string, env: NodeJS.ProcessEnv, browses: boolean): Promise<NssDatabase[]> {
  const data = env['XDG_DATA_HOME'] || join(home, '.local', 'share');
  const config = env['XDG_CONFIG_HOME'] || join(home, '.config');
  const flatpaks = await foldersIn(join(home, '.var', 'app'));
  const own = [join(home, '.pki', 'nssdb'), join(data, 'pki', 'nssdb')];
  const snap = join(home, 'snap', 'chromium', 'current');
  const chromium = await withDatabase([
    ...own,
    ...[snap, ...flatpaks].map(each => join(each, '.pki', 'nssdb')),
    join(snap, '.local', 'share', 'pki', 'nssdb'),
    ...flatpaks.map(each => join(each, 'data', 'pki', 'nssdb')),
  ]);
  if (browses && !own.some(each => chromium.includes(each))) chromium.unshift(join(home, '.pki', 'nssdb'));
  const profiles = await Promise.all(
    [
      join(home, '.mozilla', 'firefox'),
      join(config, 'mozilla', 'firefox'),
      join(home, 'snap', 'firefox', 'common', '.mozilla', 'firefox'),
      ...flatpaks.flatMap(each => [join(each, '.mozilla', 'firefox'), join(each, 'config', 'mozilla', 'firefox')]),
    ].map(foldersIn),
  );
  const firefox = await withDatabase(profiles.flat());
  return [
    ...chromium.map(dir => ({ dir, browser: 'Chromium' as const })),
    ...firefox.map(dir => ({ dir, browser: 'Firefox' as const })),
  ];
}

export function nssStore(tools: Tools, { dir, browser }: NssDatabase): TrustStore {
  const database = ['-d', `sql:${dir}`];
  const nicknameOf = ({ sha1 }: PublicCertificate): string => `platen-${sha1}`;
  /** The certificate's flags, such as `P,,`; undefined if the database does not have it. */
  const flags = async (certificate: PublicCertificate): Promise<string | undefined> => {
    if (!(await isDatabase(dir))) return undefined;
    const list = await must(tools, certutil, ['-L', ...database], missing);
    return new RegExp(`^${nicknameOf(certificate)}\\s+(\\S*)\\s*$`, 'm').exec(list)?.[1];
  };
  const drop = (certificate: PublicCertificate): Promise<string> =>
    must(tools, certutil, ['-D', ...database, '-n', nicknameOf(certificate)], missing);

  const add = (certificate: PublicCertificate): Promise<void> =>
    tools.withFile(certificate, async file => {
      try {
        await must(
          tools,
          certutil,
          ['-A', ...database, '-t', flagsOf[browser], '-n', nicknameOf(certificate), '-i', file],
          missing,
        );
      } catch (error) {
        // A password-protected database takes the certificate, but then refuses to trust it.
        await drop(certificate).catch(() => undefined);
        throw error;
      }
    });

  return {
    name: `${browser}'s database ${dir}`,
    asks: false,
    trusted: async certificate => (await flags(certificate)) === flagsOf[browser],

    async add(certificates) {
      if (!(await isDatabase(dir))) {
        await mkdir(dir, { recursive: true, mode: 0o700 });
        await must(tools, certutil, ['-N', ...database, '--empty-password'], missing);
      }
      for (const each of certificates) await add(each);
    },

    async remove(certificate) {
      if ((await flags(certificate)) === undefined) return false;
      await drop(certificate);
      return true;
    },
  };
}

const isDatabase = (dir: string): Promise<boolean> =>
  stat(join(dir, 'cert9.db')).then(
    () => true,
    () => false,
  );

async function withDatabase(dirs: readonly string[]): Promise<string[]> {
  const have = await Promise.all(dirs.map(isDatabase));
  return dirs.filter((_, at) => have[at]);
}

async function foldersIn(dir: string): Promise<string[]> {
  const entries = await readdir(dir, { withFileTypes: true }).catch(() => []);
  return entries
    .filter(each => each.isDirectory())
    .map(each => join(dir, each.name))
    .sort();
}
