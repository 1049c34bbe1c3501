/** A Windows under Wine, as an installer changes it: files, the registry with its trust stores, and what runs. */
import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { X509Certificate } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { mkdtemp, open, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startWine, type Wine } from '@platen/driver-twain-windows/wine';
import { inherited } from '../topology/platen.js';

/** Lists for before and after. */
export interface Listing {
  readonly files: ReadonlySet<string>;
  /** `[key] name=value`, of the computer and of the person, without what certificates they trust. */
  readonly registry: ReadonlySet<string>;
  /** The SHA-1 of every certificate in their stores, as 40 upper-case digits. */
  readonly certificates: ReadonlySet<string>;
}

export interface Desk {
  readonly wine: Wine;
  /** The folder that is drive C. */
  readonly drive: string;
  /** Runs a program of Windows to its end. @returns its exit code; Wine keeps its lowest 8 bits */
  run(...command: string[]): Promise<number>;
  /** Runs a line of the command prompt to its end. @returns its exit code, as {@link run}, and what it printed */
  prompt(line: string): Promise<{ readonly code: number; readonly said: string }>;
  /** Starts one that stays. @param line as the registry has it */
  start(line: string, env: NodeJS.ProcessEnv): ChildProcess;
  list(): Promise<Listing>;
  /** @returns the registry below a key, as a listing has it; empty if it is not there */
  keys(tree: string): Promise<ReadonlySet<string>>;
  /**
   * Puts a certificate into the computer's Root store, because Wine's certutil does nothing.
   * @param pem its file
   * @returns its SHA-1, as a listing has it
   */
  trust(pem: string): Promise<string>;
  dispose(): Promise<void>;
}

/** What Windows itself writes at any time: caches, temporary files, a counter, a screen, and the empty keys above all products. */
const volatileFiles = /^\/(?:windows\/(?:temp|Installer)|users\/[^/]+\/(?:AppData\/Local\/Temp|Temp))(?:\/|$)/i;
const installerKey =
  /\\Installer(?:\\(?:Features|Products|UpgradeCodes|UserData(?:\\S-1-5-18(?:\\(?:Components|Products))?)?))?\]$/i;
const volatileKeys =
  /\\(?:ServiceCurrent|Control\\Video|Installer\\Secure|Installer\\Rollback|Explorer\\|Diagnostics)/i;

const rootStore = 'HKEY_LOCAL_MACHINE\\Software\\Microsoft\\SystemCertificates\\Root\\Certificates';

/** Wine makes the stores, and copies into Root what this computer trusts, when a program first opens one. */
const storeKey = /^\[[^\]]*\\SystemCertificates[\\\]]/i;
const storedKey = /(?<=\\SystemCertificates\\\w+\\Certificates\\)[\dA-F]{40}(?=\])/i;

/** The property of a stored certificate that is the certificate itself: CERT_CERT_PROP_ID. */
const CERTIFICATE = 32;

/** What adds it to the registry. */
function stored({ raw }: X509Certificate, sha1: string): string {
  const head = Buffer.alloc(12);
  [CERTIFICATE, 1, raw.length].forEach((value, at) => head.writeUInt32LE(value, 4 * at));
  const bytes = [...Buffer.concat([head, raw])].map(byte => byte.toString(16).padStart(2, '0')).join(',');
  return `REGEDIT4\r\n\r\n[${rootStore}\\${sha1}]\r\n"Blob"=hex:${bytes}\r\n`;
}

const isPath = /^"PATH"=hex\(2\):/i;

/** PATH's folders. When one is removed, Wine leaves its semicolon. */
function pathOf(line: string): string {
  const bytes = Buffer.from(line.replace(isPath, '').replaceAll(',', ''), 'hex');
  const folders = bytes.toString('utf16le').replace('\0', '').split(';');
  return `"PATH"=${folders.filter(each => each !== '').join(';')}`;
}

export async function openDesk(): Promise<Desk> {
  const wine = await startWine(inherited);
  const own = await mkdtemp(join(tmpdir(), 'platen-desk-'));
  const prefix = wine.env['WINEPREFIX'] ?? '';
  const drive = join(prefix, 'drive_c');
  // The test runner's settings for Node would reach the service.
  const { NODE_OPTIONS: _, NODE_PATH: __, ...env } = wine.env;

  async function run(...command: string[]): Promise<number> {
    const [code] = (await once(spawn('wine', command, { stdio: 'ignore', env }), 'exit')) as [number];
    return code;
  }

  function filesBelow(path: string): string[] {
    return readdirSync(join(drive, path), { withFileTypes: true }).flatMap(entry => {
      const inner = `${path}/${entry.name}`;
      if (volatileFiles.test(inner)) return [];
      return entry.isDirectory() ? [inner, ...filesBelow(inner)] : [inner];
    });
  }

  async function registryOf(tree: string): Promise<string[]> {
    const file = join(own, 'exported.reg');
    const code = await run('reg', 'export', tree, wine.path(file), '/y');
    if (code !== 0) return [];
    const lines = (await readFile(file, 'utf16le')).replaceAll(/\\\r\n\s*/g, '').split('\r\n');
    let key = '';
    return lines.flatMap(line => {
      if (line.startsWith('[')) key = line;
      if (line === '' || volatileKeys.test(key) || installerKey.test(line)) return [];
      return [`${key} ${line === key ? '' : isPath.test(line) ? pathOf(line) : line}`];
    });
  }

  /** An export fails now and then while Windows still starts. @throws if it does so again and again */
  async function wholeOf(tree: string): Promise<string[]> {
    for (let attempt = 0; attempt < 5; attempt++) {
      const lines = await registryOf(tree);
      if (lines.length > 0) return lines;
    }
    throw new Error(`Windows exported nothing of ${tree}`);
  }

  return {
    wine,
    drive,
    run,
    async prompt(line) {
      // Windows' Node does not accept a Linux pipe.
      const file = join(own, 'said.txt');
      const output = await open(file, 'w');
      const child = spawn('wine', ['cmd', '/c', line], { stdio: ['ignore', output.fd, output.fd], env });
      const [code] = (await once(child, 'exit')) as [number];
      await output.close();
      return { code, said: await readFile(file, 'utf8') };
    },
    start: (line, more) =>
      spawn('sh', ['-c', `exec wine ${line.replaceAll('\\', '\\\\')}`], { stdio: 'ignore', env: { ...env, ...more } }),
    async list() {
      const trees = ['HKLM\\Software', 'HKLM\\System\\CurrentControlSet', 'HKCU'];
      const registry: string[] = [];
      for (const tree of trees) {
        registry.push(...(await wholeOf(tree)));
      }
      return {
        files: new Set(filesBelow('')),
        registry: new Set(registry.filter(line => !storeKey.test(line))),
        certificates: new Set(registry.flatMap(line => storedKey.exec(line)?.[0] ?? [])),
      };
    },
    keys: async tree => new Set(await registryOf(tree)),
    async trust(pem) {
      const certificate = new X509Certificate(await readFile(pem));
      const sha1 = certificate.fingerprint.replaceAll(':', '');
      const file = join(own, 'trusted.reg');
      await writeFile(file, stored(certificate, sha1));
      const code = await run('reg', 'import', wine.path(file));
      if (code !== 0) throw new Error(`reg import ended with ${code}`);
      return sha1;
    },
    async dispose() {
      await wine.dispose();
      await rm(own, { recursive: true, force: true });
    },
  };
}

/** A value of the registry, as the installer wrote it. @throws if there is none */
export function valueOf(registry: ReadonlySet<string>, key: string, name: string): string {
  const start = `[${key}] "${name}"=`;
  const found = [...registry].find(line => line.toLowerCase().startsWith(start.toLowerCase()));
  if (found === undefined) throw new Error(`${key} has no ${name}`);
  return JSON.parse(found.slice(start.length)) as string;
}

/** Entries of the first set that the second lacks, sorted. */
export const without = (some: ReadonlySet<string>, others: ReadonlySet<string>): string[] =>
  [...some].filter(each => !others.has(each)).sort();

/** What a log has so far; empty if it is not there yet. */
export function logText(file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return '';
  }
}
