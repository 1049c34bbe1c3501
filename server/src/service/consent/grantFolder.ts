/**
 * The person's grants on disk: one file for each origin, so that the service and `platen origins` never overwrite each
 * other's. Synchronous, because a request waits for it: reads only what changed, and the files are small.
 */
import { createHash, randomUUID } from 'node:crypto';
import {
  closeSync,
  constants,
  fstatSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { messageOf } from '@platen/core';
import { systemCode } from '../../machine/configError.js';
import { grantBody, grantIn, type Grant } from './grant.js';

/** Who answered. */
export type By = 'page' | 'command';

export interface StoredGrant extends Grant {
  readonly by: By;
  /** Milliseconds since 1970. */
  readonly at: number;
  /** SHA-256 of the secrets that prove a page's consent where local programs need a token. */
  readonly passes: readonly string[];
}

export interface GrantFolder {
  /** By origin; damaged files are skipped. Empty if the folder cannot be read: then nobody may. */
  read(): ReadonlyMap<string, StoredGrant>;
  /** Replaces what is stored for the origin, whole. @throws the operating system's error */
  write(grant: StoredGrant): void;
  /** @returns whether there was one. @throws the operating system's error */
  remove(origin: string): boolean;
}

/** More are not read: each request looks at all of them after a change. */
const MOST_FILES = 1000;
const MOST_BYTES = 64 * 1024;
/** A change may leave a folder's time as it was: FAT counts it in steps of two seconds. */
const COARSE_MS = 2500;
const name = /^[\da-f]{64}\.json$/;
const nameOf = (origin: string): string => `${createHash('sha256').update(origin).digest('hex')}.json`;

/** @param warn takes a sentence about a damaged file */
export function openGrantFolder(dataDir: string, warn: (sentence: string) => void = () => undefined): GrantFolder {
  const folder = join(dataDir, 'origins');
  let seen = '';
  let all: ReadonlyMap<string, StoredGrant> = new Map();
  /** Sentences of the last look: it is repeated after a change, and they are not. */
  let before: ReadonlySet<string> = new Set();
  const said = new Set<string>();
  const say = (sentence: string): void => {
    if (!before.has(sentence) && !said.has(sentence)) warn(sentence);
    said.add(sentence);
  };
  const fileOf = (origin: string): string => join(folder, nameOf(origin));

  return {
    read() {
      try {
        const now = stateOf(folder);
        if (now === seen) return all;
        before = new Set(said);
        said.clear();
        all = now === 'none' ? new Map() : readAll(folder, say);
        seen = now;
      } catch (error) {
        [all, seen] = [new Map(), ''];
        say(`The grants in ${folder} cannot be read (${messageOf(error)}): no page may scan until they can.`);
      }
      return all;
    },
    write(grant) {
      mkdirSync(folder, { recursive: true, mode: 0o700 });
      const file = fileOf(grant.origin);
      const draft = `${file}.${randomUUID()}.new`;
      const { by, at, passes } = grant;
      const body = { ...grantBody(grant), by, at: new Date(at).toISOString(), passes };
      writeFileSync(draft, `${JSON.stringify(body, undefined, 2)}\n`, { mode: 0o600, flag: 'wx' });
      // A rename never leaves half a file under this name.
      renameSync(draft, file);
      seen = '';
    },
    remove(origin) {
      const had = this.read().has(origin);
      rmSync(fileOf(origin), { force: true });
      seen = '';
      return had;
    },
  };
}

/** Changes whenever a file is added, replaced or removed. */
function stateOf(folder: string): string {
  const found = statSync(folder, { bigint: true, throwIfNoEntry: false });
  const isFresh = found !== undefined && Date.now() - Number(found.mtimeMs) < COARSE_MS;
  return found === undefined ? 'none' : `${found.mtimeNs}${isFresh ? ` ${randomUUID()}` : ''}`;
}

function readAll(folder: string, warn: (sentence: string) => void): Map<string, StoredGrant> {
  const grants = new Map<string, StoredGrant>();
  const names = readdirSync(folder).filter(each => name.test(each));
  if (names.length > MOST_FILES) warn(`${folder} has more than ${MOST_FILES} files; the rest is not read.`);
  for (const each of names.slice(0, MOST_FILES)) {
    const file = join(folder, each);
    try {
      const grant = storedIn(JSON.parse(textOf(file)));
      // Another name would outlive a revocation.
      if (nameOf(grant.origin) !== each) throw new Error(`its name is not that of ${grant.origin}.`);
      grants.set(grant.origin, grant);
    } catch (error) {
      const code = systemCode(error) ?? '';
      // Removed meanwhile by another process.
      if (code === 'ENOENT') continue;
      if (passing.has(code)) throw error;
      warn(`${file} is not a grant: ${messageOf(error)} The origin is asked again.`);
    }
  }
  return grants;
}

/** Failures that say nothing about the file. */
const passing: ReadonlySet<string> = new Set(['EMFILE', 'ENFILE', 'ENOMEM']);

/** Follows no link, and waits for no pipe: only a file counts. */
function textOf(file: string): string {
  const open = openSync(file, constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0) | (constants.O_NONBLOCK ?? 0));
  try {
    const found = fstatSync(open);
    if (!found.isFile()) throw new Error('it is not a file.');
    if (found.size > MOST_BYTES) throw new Error(`it is larger than ${MOST_BYTES / 1024} KiB.`);
    return readFileSync(open, 'utf8');
  } finally {
    closeSync(open);
  }
}

function storedIn(value: unknown): StoredGrant {
  const grant = grantIn(value);
  const { by, at, passes = [] } = value as { by?: unknown; at?: unknown; passes?: unknown };
  const isText = (each: unknown): each is string => typeof each === 'string';
  return {
    ...grant,
    by: by === 'command' ? 'command' : 'page',
    at: typeof at === 'string' ? Date.parse(at) || 0 : 0,
    passes: Array.isArray(passes) ? passes.filter(isText) : [],
  };
}
