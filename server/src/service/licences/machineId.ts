/**
 * The id of this computer in a licence: a hash of the id that its operating system has. It stays the same until the
 * system is installed again, names no person, and the system's own id cannot be found from it.
 */
import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { win32 } from 'node:path';
import { platform } from '../../machine/platform.js';
import { systemTools, type Tools } from '../../machine/tls/trust/tool.js';

/** @returns 32 hexadecimal digits; undefined if the system's id cannot be read */
export type MachineId = () => Promise<string | undefined>;

/** machine-id(5) asks for this: its value is not shown, a keyed hash is. Changed, every licence for a computer is void. */
const SALT = 'platen-licence-machine-1';
/** Shorter ones are no ids: a file that a container has not filled yet. */
const LEAST_LENGTH = 16;

export interface Surroundings {
  readonly platform: NodeJS.Platform;
  readonly tools: Tools;
  readonly env: NodeJS.ProcessEnv;
  read(file: string): Promise<string>;
}

export const machineId: MachineId = () => machineIdOf();

export async function machineIdOf(given: Partial<Surroundings> = {}): Promise<string | undefined> {
  const raw = (await systemId(given))?.trim().toLowerCase();
  if (raw === undefined || raw.length < LEAST_LENGTH || !/^[0-9a-f-]+$/.test(raw)) return undefined;
  return createHash('sha256').update(`${SALT}\n${raw}`).digest('hex').slice(0, 32);
}

async function systemId(given: Partial<Surroundings>): Promise<string | undefined> {
  const { env = process.env, tools = systemTools(env), read = (file: string) => readFile(file, 'utf8') } = given;
  const said = async (program: string, args: readonly string[]): Promise<string> =>
    (await tools.run(program, args).catch(() => undefined))?.said ?? '';
  switch (given.platform ?? platform) {
    case 'win32': {
      const reg = win32.join(env['SystemRoot'] || 'C:\\Windows', 'System32', 'reg.exe');
      const key = 'HKLM\\SOFTWARE\\Microsoft\\Cryptography';
      return /MachineGuid\s+REG_SZ\s+(\S+)/.exec(await said(reg, ['query', key, '/v', 'MachineGuid', '/reg:64']))?.[1];
    }
    case 'darwin':
      return /"IOPlatformUUID" = "([^"]+)"/.exec(
        await said('/usr/sbin/ioreg', ['-rd1', '-c', 'IOPlatformExpertDevice']),
      )?.[1];
    default:
      for (const file of ['/etc/machine-id', '/var/lib/dbus/machine-id']) {
        const id = await read(file).catch(() => undefined);
        if (id !== undefined) return id;
      }
      return undefined;
  }
}
