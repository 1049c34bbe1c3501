/** `platen config show`: what holds, and which file each value is from. */
import { placeOf, readConfig, readHostConfig, type Read } from '../../machine/config/read.js';
import type { Settings } from '../../machine/config/settings.js';
import type { Io } from '../../machine/io.js';
import type { Step } from '../../machine/json.js';
import { printable } from '../../machine/printable.js';
import { withoutSecrets } from '../../service/settings/secrets.js';

/** A value that holds; a list is one value, but for that of the plugins. */
export interface Shown {
  /** `plugins[@platen/barcode].enabled` */
  readonly key: string;
  readonly value: unknown;
  /** Absent, with `line`: it is the default. */
  readonly file?: string;
  /** 1-based. */
  readonly line?: number;
  /** A policy: no file changes it. */
  readonly isFixed?: true;
}

/** @throws {ConfigError} */
export async function showConfig(settings: Settings, io: Io, how: { host: boolean; json: boolean }): Promise<void> {
  const { configFile, dataDir } = settings;
  const config = await (how.host ? readHostConfig : readConfig)(configFile, dataDir);
  const { file, files, sourceOf: _, ...keys } = config;
  const values = [...leaves(keys, [], config)];
  if (how.json) {
    io.out(JSON.stringify({ file, files, configuration: withoutSecrets(keys), values }, null, 2));
    return;
  }
  for (const each of files) io.out(printable(`# ${each}`));
  for (const { key, value, file: from, line, isFixed } of values)
    io.out(
      printable(
        `${key} = ${JSON.stringify(value)}  # ${from === undefined ? 'default' : placeOf({ file: from, line })}${isFixed ? ', fixed' : ''}`,
      ),
    );
}

type Sources = Pick<Read<object>, 'sourceOf'>;

/** @param names the path with the names of plugins in place of their numbers */
function* leaves(value: unknown, path: readonly Step[], from: Sources, names = ''): Generator<Shown> {
  const isPlugins = Array.isArray(value) && path.length === 1 && path[0] === 'plugins';
  if (isPlugins && value.length > 0)
    for (const [at, { use, ...entry }] of (value as { use: string }[]).entries())
      yield* entryLeaves(entry, [...path, at], from, `plugins[${use}]`);
  else if (typeof value === 'object' && value !== null && !Array.isArray(value) && Object.keys(value).length > 0)
    for (const [key, inner] of Object.entries(value))
      yield* leaves(inner, [...path, key], from, names === '' ? key : `${names}.${key}`);
  else {
    const { file, line, isFixed } = from.sourceOf(path, path[0] !== 'plugins') ?? {};
    yield {
      key: names,
      value: withoutSecrets(value, path.at(-1)),
      ...(file === undefined ? {} : { file }),
      ...(line === undefined ? {} : { line }),
      ...(isFixed ? { isFixed } : {}),
    };
  }
}

/** Whether it is on, and what differs from the defaults. */
function* entryLeaves(
  entry: Readonly<Record<string, unknown>>,
  path: readonly Step[],
  from: Sources,
  name: string,
): Generator<Shown> {
  for (const [key, value] of Object.entries(entry))
    if (key === 'enabled' || value !== false) yield* leaves(value, [...path, key], from, `${name}.${key}`);
}
