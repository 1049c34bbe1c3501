/** Reads a configuration, checks each of its files against the schema, and fills in every default. */
import { isAbsolute, resolve } from 'node:path';
import { problemSentence, schemaProblems, type SchemaProblem } from '@platen/core';
import { Ajv } from 'ajv';
import type { Step } from '../json.js';
import { ConfigError } from '../configError.js';
import { asSchemaHas, fixedLayer, fixedPlace, type FixedPlace } from './fixed.js';
import { addedFolder, mergeLayers, readLayers, type Merged, type Proposed, type Source } from './layers.js';
import type { Layer } from './readLayer.js';
import { ConfigSchema, HostConfigSchema, type Config, type HostConfig } from './schema.js';
import { hostJson, platenJson } from './shipped.js';

/** With the files that it was read from. */
export type Read<Keys> = Keys & {
  /** The one that was asked for; plugins are searched from its folder. */
  readonly file: string;
  /** All of them, in the order in which they count: the last one counts most. Policies that are no file are not among them. */
  readonly files: readonly string[];
  readonly sourceOf: Merged['sourceOf'];
};

interface Kind {
  readonly schema: object;
  /** What `"extends": "shipped"` means. */
  readonly shipped: string;
  /** The name of the folder whose files are added. */
  readonly folder: string;
}
const service: Kind = { schema: ConfigSchema, shipped: platenJson, folder: 'conf.d' };
const host: Kind = { schema: HostConfigSchema, shipped: hostJson, folder: 'host.d' };

/**
 * @param path absolute, or relative to the working directory
 * @param dataDir has the folder `conf.d` of a file that is in the installation's package; absent: it has none
 * @param place where policies are; a test passes another
 * @param proposed the configuration as it would be with this file
 * @throws {ConfigError} each sentence names the file, the line, the path in it, and the accepted values
 */
export function readConfig(
  path: string,
  dataDir?: string,
  place: FixedPlace = fixedPlace,
  proposed?: Proposed,
): Promise<Read<Config>> {
  return readOf<Config>(path, dataDir, service, place, proposed);
}

/** The same for the desktop application's file, with the folder `host.d`. */
export function readHostConfig(path: string, dataDir?: string): Promise<Read<HostConfig>> {
  return readOf<HostConfig>(path, dataDir, host);
}

/**
 * A configuration that is in no file.
 * @param file named in sentences; plugins are searched from its folder
 * @throws {ConfigError}
 */
export function configOf(value: unknown, file: string): Read<Config> {
  return checked<Config>([{ file, value, lineOf: () => undefined }], file, ConfigSchema);
}

/** The folder whose files are added to a configuration of the service; undefined: there is none. */
export const confFolder = (file: string, dataDir: string): string | undefined =>
  addedFolder(file, dataDir, service.folder);

/** The files of a configuration as far as they can be read: for commands that show them. */
export async function configFiles(file: string, dataDir: string): Promise<readonly string[]> {
  const { schema: _, shipped, folder } = service;
  const place = { file: resolve(file), shipped, folder: addedFolder(file, dataDir, folder) };
  return readLayers(place).then(
    layers => layers.map(each => each.file),
    () => [place.file],
  );
}

async function readOf<Keys extends object>(
  path: string,
  dataDir: string | undefined,
  { schema, shipped, folder }: Kind,
  place?: FixedPlace,
  proposed?: Proposed,
): Promise<Read<Keys>> {
  const file = resolve(path);
  const layers = await readLayers({ file, shipped, folder: addedFolder(file, dataDir, folder), proposed });
  const fixed = place && (await fixedLayer(place));
  const policy = fixed && { ...fixed, value: asSchemaHas(fixed.value, schema) };
  return checked<Keys>(policy ? [...layers, policy] : layers, file, schema);
}

function checked<Keys extends object>(layers: readonly Layer[], file: string, schema: object): Read<Keys> {
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
  const check = ajv.compile<Keys>(schema);
  const merged = mergeLayers(layers, file);
  const { value } = merged;
  const whence = { file, files: layers.map(each => each.file).filter(isAbsolute), sourceOf: merged.sourceOf };
  const read = typeof value === 'object' && value !== null ? { ...value, ...whence } : {};
  const refuse = (where: Located): ConfigError => {
    const problems = schemaProblems(check.errors ?? [], { words: 'title' });
    return located(problems, where, problem => problemSentence(problem, 'the file'), read);
  };
  if (!check(value)) throw refuse(whence);
  // A later file may hide what is wrong in an earlier one.
  for (const { file: own, value: part, lineOf } of layers.length > 1 ? layers : [])
    if (!check(structuredClone(part))) throw refuse({ file, sourceOf: path => ({ file: own, line: lineOf(path) }) });
  return { ...value, ...whence };
}

/** What tells where a value of a configuration is from. One that is in no file has no sources. */
export type Located = Pick<Read<object>, 'file'> & Partial<Pick<Read<object>, 'files' | 'sourceOf'>>;

/** The fault of a configuration: each problem with its file and line. */
export function located(
  problems: readonly SchemaProblem[],
  { file, sourceOf }: Located,
  sentenceOf: (problem: SchemaProblem) => string,
  read?: object,
): ConfigError {
  const all = problems.map(problem => ({ ...problem, ...(sourceOf?.(stepsOf(problem)) ?? { file, line: undefined }) }));
  const lines = all.map(problem => `The configuration ${placeOf(problem)}: ${sentenceOf(problem)}`);
  return new ConfigError(lines.join('\n'), { problems: all, ...(read && { read }) });
}

/** Of a path in dots and brackets. */
function stepsOf({ path }: SchemaProblem): Step[] {
  return [...path.matchAll(/\[(\d+)\]|[^.[\]]+/g)].map(([key, index]) => (index === undefined ? key : Number(index)));
}

/** `/etc/platen/platen.json, line 4` */
export const placeOf = ({ file, line }: Source): string => (line === undefined ? file : `${file}, line ${line}`);
