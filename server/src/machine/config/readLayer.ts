/** One file of a configuration, with the lines of its values. */
import { JsonError, keyTwice, linesOf, parseJson, type Step } from '../json.js';
import { ConfigError } from '../configError.js';
import { readConfigText } from './readText.js';

/** One file of a configuration. */
export interface Layer {
  /** Absolute. */
  readonly file: string;
  readonly value: unknown;
  /** @returns 1-based; undefined if the file does not have it */
  lineOf(path: readonly Step[]): number | undefined;
  /** A company's policy: nobody changes what it has. */
  readonly isFixed?: true;
}

/** @throws {ConfigError} for a file that cannot be read, is not JSON, or has a key twice in one object */
export const readLayer = async (file: string): Promise<Layer> => layerIn(file, await readConfigText(file));

/** @throws {ConfigError} for a text that is not JSON, or has a key twice in one object */
export function layerIn(file: string, text: string): Layer {
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
  let lines: ReturnType<typeof linesOf> | undefined;
  return { file, value, lineOf: path => (lines ??= linesOf(text))(path) };
}
