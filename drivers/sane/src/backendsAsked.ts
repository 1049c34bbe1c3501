/** Which backends libsane asks, and which one it waits for: it asks them in one call, and only its debug messages say. */
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Log } from '@platen/core/plugin';

/** The debug level at which libsane names each backend that it has, and each before it starts with it. */
const LEVEL = '3';
const VARIABLE = 'SANE_DEBUG_DLL';

/** What a helper's log says about its backends. */
export interface BackendsAsked {
  /** Of the helper. */
  readonly env: NodeJS.ProcessEnv;
  /** The helper's log, without those messages. */
  readonly log: Log;
  /** All that are configured, in libsane's order: `net`. */
  readonly configured: ReadonlySet<string>;
  /** Those that were started, in order. */
  readonly started: ReadonlySet<string>;
  /** The one that libsane is asking, or asked when the helper ended. */
  readonly current: string | undefined;
}

export function backendsAsked(log: Log): BackendsAsked {
  const isWanted = process.env[VARIABLE] !== undefined;
  const configured = new Set<string>();
  const started = new Set<string>();
  let current: string | undefined;

  function read(line: string): void {
    const [, added] = /\[dll\] add_backend: (?:adding backend )?`([^'\s/]{1,64})'/.exec(line) ?? [];
    const [, next] = /\[dll\] (?:load: searching|init: initializing) backend `([^'\s/]{1,64})'/.exec(line) ?? [];
    if (added !== undefined) {
      // One that is named twice moves to the later place.
      configured.delete(added);
      configured.add(added);
    }
    if (next !== undefined) started.add((current = next));
    if (/\[dll\] sane_get_devices: found /.test(line)) current = undefined;
  }

  return {
    env: isWanted ? {} : { [VARIABLE]: LEVEL },
    log: {
      ...log,
      debug(line) {
        read(line);
        if (isWanted || !/\[dll\] |\[sanei_debug\] .* dll /.test(line)) log.debug(line);
      },
    },
    configured,
    started,
    get current() {
      return current;
    },
  };
}

export interface BackendsFolder {
  readonly path: string;
  remove(): Promise<void>;
}

/** A folder that libsane finds before its own, with which it has only these backends, in this order. */
export async function folderOfBackends(names: Iterable<string>): Promise<BackendsFolder> {
  const path = await mkdtemp(join(tmpdir(), 'platen-sane-'));
  // Without a folder of this name here, libsane adds the backends of the next one.
  await mkdir(join(path, 'dll.d'));
  await writeFile(join(path, 'dll.conf'), [...names, ''].join('\n'));
  return { path, remove: () => rm(path, { recursive: true, force: true }) };
}

/** The backend that a SANE name begins with. */
export const backendOf = (device: string): string => device.split(':', 1)[0]!;
