/** Reads a configuration file: checked against its schema, with every default filled in. */
import { readFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import { Ajv } from 'ajv';
import { JsonError, parseJson } from '../json.js';
import { accessOf } from './access.js';
import { ConfigError, systemCode } from './error.js';
import { problemsOf } from './problems.js';
import type { Config } from './schema.js';

/**
 * @param path absolute, or relative to the working folder
 * @throws {ConfigError} each sentence names the file, the path in it, and what is taken there
 */
export async function readConfig(path: string): Promise<Config & { readonly file: string }> {
  const file = resolve(path);
  const text = await readText(file);
  let value: unknown;
  try {
    value = parseJson(text);
  } catch (error) {
    if (!(error instanceof JsonError)) throw error;
    throw new ConfigError(`The configuration ${file} is not valid JSON: ${error.message}.`, { cause: error });
  }
  // No coercion: "53052" is not a port.
  const ajv = new Ajv({ allErrors: true, useDefaults: true, coerceTypes: false, verbose: true });
  const check = ajv.compile<Config>(JSON.parse(readFileSync(schemaFile, 'utf8')) as object);
  if (!check(value)) {
    const lines = problemsOf(check.errors ?? []).map(problem => `The configuration ${file}: ${problem}.`);
    throw new ConfigError(lines.join('\n'));
  }
  return { ...value, file };
}

const schemaFile = new URL('../../config/schema.json', import.meta.url);

async function readText(file: string): Promise<string> {
  try {
    const access = await accessOf(file);
    if (access?.othersWrite === true) {
      throw new ConfigError(
        `The configuration ${file} can be written to by other accounts, who could make the service run their code; ` +
          `take that away with: chmod go-w "${file}".`,
      );
    }
    return await readFile(file, 'utf8');
  } catch (error) {
    if (error instanceof ConfigError) throw error;
    const code = systemCode(error);
    if (code === 'ENOENT') throw new ConfigError(`There is no configuration file ${file}.`, { cause: error });
    const why = code === 'EISDIR' ? 'it is a folder' : `the operating system says ${code ?? String(error)}`;
    throw new ConfigError(`The configuration ${file} cannot be read: ${why}.`, { cause: error });
  }
}
