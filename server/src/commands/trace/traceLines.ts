/** Reads a trace of `platen trace`, for the file for support. */
import { readFile, stat } from 'node:fs/promises';
import { ConfigError, systemCode } from '../../machine/configError.js';

/** A session of 500 pages has about 1 MiB. */
const MOST_BYTES = 16 * 1024 * 1024;

/** @throws {ConfigError} for a file that is no trace */
export async function traceLines(file: string): Promise<readonly string[]> {
  const refused = (why: string): ConfigError =>
    new ConfigError(`${file} ${why}. Record a trace: platen trace --out FILE.`, { code: 'usage' });
  let text: string;
  try {
    if ((await stat(file)).size > MOST_BYTES) throw refused('is too large for a trace');
    text = await readFile(file, 'utf8');
  } catch (error) {
    throw error instanceof ConfigError ? error : refused(`cannot be read (${systemCode(error) ?? String(error)})`);
  }
  const lines = text.split('\n').filter(line => line !== '');
  // Whatever else the file is, it must not get into one that is sent.
  const fields = lines.map(fieldsOf);
  if (fields[0]?.['trace'] !== 1 || !fields.every(each => each)) throw refused('is not a trace');
  return lines;
}

function fieldsOf(line: string): Readonly<Record<string, unknown>> | undefined {
  try {
    const value = JSON.parse(line) as unknown;
    return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : undefined;
  } catch {
    return undefined;
  }
}
