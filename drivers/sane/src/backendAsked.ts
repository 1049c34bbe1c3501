/** Which backend a listing is at: SANE asks them one after the other in one call, and only its debug messages say which. */
import type { Log } from '@platen/core/plugin';

/** At which libsane names each backend before it begins with it. */
const LEVEL = '3';
const VARIABLE = 'SANE_DEBUG_DLL';

export interface BackendAsked {
  /** Of the helper. */
  readonly env: NodeJS.ProcessEnv;
  /** For the helper: passes on all but those messages. */
  readonly log: Log;
  /** The one that was begun with last: `net`. */
  readonly backend: string | undefined;
}

export function backendAsked(log: Log): BackendAsked {
  let backend: string | undefined;
  const isWanted = process.env[VARIABLE] !== undefined;
  return {
    env: isWanted ? {} : { [VARIABLE]: LEVEL },
    log: {
      ...log,
      debug(line) {
        backend = /\[dll\] init: initializing backend `([^']{1,64})'/.exec(line)?.[1] ?? backend;
        if (isWanted || !/\[dll\] |\[sanei_debug\] .* dll /.test(line)) log.debug(line);
      },
    },
    get backend() {
      return backend;
    },
  };
}
