/** Reads a configuration file, checks it against its schema, and fills in every default. */
import { readFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import { problemSentence, schemaProblems } from '@platen/core';
import { Ajv } from 'ajv';
import { JsonError, keyTwice, parseJson } from '../json.js';
import { assertConfigSafe } from '../rights/codeAccess.js';
import { ConfigError, systemCode } from '../configError.js';
import { platform } from '../platform.js';
import { ConfigSchema, HostConfigSchema, type Config, type HostConfig } from './schema.js';

/**
 * @param path absolute, or relative to the working directory
 * @throws {ConfigError} each sentence names the file, the path in it, and the accepted values
 */
export function readConfig(path: string): Promise<Config & { readonly file: string }> {
  return read<Config>(path, ConfigSchema);
}

/**
 * A configuration that is in no file.
 * @param file named in sentences; plugins are searched from its folder
 * @throws {ConfigError}
 */
export function configOf(value: unknown, file: string): Config & { readonly file: string } {
  return checked<Config>(structuredClone(value), file, ConfigSchema);
}

/** The same for the desktop application's file. */
export function readHostConfig(path: string): Promise<HostConfig & { readonly file: string }> {
  return read<HostConfig>(path, HostConfigSchema);
}

async function read<T extends object>(path: string, schema: object): Promise<T & { readonly file: string }> {
  const file = resolve(path);
  const text = await readText(file);
  let value: unknown;
  try {
    value = parseJson(text);
  } catch (error) {
    if (!(error instanceof JsonError)) throw error;
    throw new ConfigError(`The configuration ${file} is not valid JSON: ${error.message}.`, { cause: error });
  }
  const twice = keyTwice(text);
  if (twice)
    throw new ConfigError(
      `The configuration ${file} has the key ${JSON.stringify(twice.key)} twice in one object, at line ${twice.firstLine} and at line ${twice.line}. Remove one of them.`,
    );
  return checked<T>(value, file, schema);
}

/** @param value gets the defaults */
function checked<T extends object>(value: unknown, file: string, schema: object): T & { readonly file: string } {
  // No coercion: "53052" is not a port.
  // The schema is compiled for one use: optimised code would save less time than it takes.
  const code = { optimize: false };
  const ajv = new Ajv({
    allErrors: true,
    useDefaults: true,
    coerceTypes: false,
    verbose: true,
    validateSchema: false,
    code,
  });
  const check = ajv.compile<T>(schema);
  if (!check(value)) {
    const problems = schemaProblems(check.errors ?? [], { words: 'title' });
    const lines = problems.map(problem => `The configuration ${file}: ${problemSentence(problem, 'the file')}`);
    throw new ConfigError(lines.join('\n'), {
      problems,
      read: typeof value === 'object' && value !== null ? { ...value, file } : {},
    });
  }
  return { ...(value as T), file };
}

async function readText(file: string): Promise<string> {
  try {
    await assertConfigSafe(file);
    return await readFile(file, 'utf8');
  } catch (error) {
    if (error instanceof ConfigError) throw error;
    const code = systemCode(error);
    if (code === 'ENOENT') throw new ConfigError(`The configuration file ${file} does not exist.`, { cause: error });
    if (code === 'EACCES' || code === 'EPERM')
      throw new ConfigError(`This account may not read the configuration ${file}. ${readable(file)}`, { cause: error });
    const why = code === 'EISDIR' ? 'it is a folder' : `the operating system's error is ${code ?? String(error)}`;
    throw new ConfigError(`The configuration ${file} cannot be read: ${why}.`, { cause: error });
  }
}

/** The command that lets the account read the file, which only its owner and administrators may run. */
const readable = (file: string): string =>
  platform === 'win32'
    ? `As administrator, run: icacls "${file}" /grant "%USERNAME%:R"`
    : `Run: sudo chmod a+r "${file}". If a folder of its path is closed: sudo chmod a+x, for that folder.`;
