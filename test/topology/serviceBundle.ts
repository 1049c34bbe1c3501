/** The bundle of the service that the set-up makes: see setup/serviceBundle.mjs. */
import { readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

interface BundleRecord {
  readonly root: string;
  /** By path from the root: time of change and size. */
  readonly inputs: Readonly<Record<string, string>>;
}

const clone = fileURLToPath(new URL('../../..', import.meta.url));
let flags: readonly string[] | undefined;

/** @returns Node's flags that start the service from the bundle; none where it is not what is compiled now */
export function bundleFlags(): readonly string[] {
  flags ??= isCurrent(clone) ? ['--conditions=platen-bundle'] : [];
  return flags;
}

/** @param root the clone */
export function isCurrent(root: string): boolean {
  let record: BundleRecord;
  try {
    record = JSON.parse(readFileSync(join(root, 'server', 'bundle', 'inputs.json'), 'utf8')) as BundleRecord;
  } catch {
    return false;
  }
  return (
    join(record.root, '.') === join(root, '.') &&
    Object.entries(record.inputs).every(([path, state]) => {
      const found = statSync(join(root, path), { throwIfNoEntry: false });
      return found !== undefined && `${found.mtimeMs} ${found.size}` === state;
    })
  );
}
