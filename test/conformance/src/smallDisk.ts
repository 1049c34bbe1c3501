/** A small disk over a folder, to fill it or make it read-only: for root on Linux. */
import { execFileSync } from 'node:child_process';
import { open, rm, truncate } from 'node:fs/promises';
import { join } from 'node:path';

/**
 * Why no disk can be mounted here; `false` where it can, for `{ skip: lackingDisks() }`.
 * @throws in CI on Linux, where it must be possible
 */
export function lackingDisks(env: NodeJS.ProcessEnv = process.env): string | false {
  if (process.platform !== 'linux') return 'a small disk is mounted on Linux only';
  const why = process.getuid?.() === 0 ? whyNoMount() : 'only root can mount a small disk';
  if (why && env['CI'] && env['CI'] !== 'false') throw new Error(`${why}, and CI must be able to`);
  return why;
}

function whyNoMount(): string | false {
  try {
    execFileSync('unshare', ['--mount', 'true'], { stdio: 'ignore' });
    return false;
  } catch {
    return 'this system does not let root mount a small disk';
  }
}

export interface SmallDisk {
  /** Fills it, all but so many bytes; a later call replaces the filling. */
  fill(butBytes?: number): Promise<void>;
  /** Removes what `fill` wrote. */
  free(): Promise<void>;
  setReadOnly(isReadOnly: boolean): void;
  unmount(): void;
}

/** @param folder an empty one, that stays private @param size as tmpfs takes it, such as `1500k` */
export function mountSmallDisk(folder: string, size: string): SmallDisk {
  execFileSync('mount', ['-t', 'tmpfs', '-o', `size=${size},mode=700`, 'platen-test', folder]);
  const unmount = (): void => {
    process.off('exit', unmount);
    execFileSync('umount', ['--lazy', folder], { stdio: 'ignore' });
  };
  process.on('exit', unmount);
  const filling = join(folder, 'filling');
  return {
    async fill(butBytes = 0) {
      const file = await open(filling, 'w');
      const piece = new Uint8Array(1024 * 1024);
      let size = 0;
      try {
        for (;;) size += (await file.write(piece)).bytesWritten;
      } catch {
        // It is full.
      } finally {
        await file.close();
      }
      await truncate(filling, Math.max(0, size - butBytes));
    },
    free: () => rm(filling, { force: true }),
    setReadOnly: isReadOnly =>
      void execFileSync('mount', ['-o', `remount,${isReadOnly ? 'ro' : 'rw'}`, folder], { stdio: 'ignore' }),
    unmount,
  };
}
