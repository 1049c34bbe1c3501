/** What to do where nothing limits the memory that glibc keeps. */
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';

const { tunables } = createRequire(import.meta.url)('../../bin/glibc.cjs') as { readonly tunables: string };

export interface MemoryAdviceParts {
  readonly env: NodeJS.ProcessEnv;
  /** The memory map of this process, as Linux prints it; undefined elsewhere. */
  readonly map: string | undefined;
  /** Whether this Node can give itself the variable: from 22.15 on. */
  readonly canSet: boolean;
}

/** @returns a sentence for the log; undefined where limits are set, and where there is no glibc */
export function memoryAdvice({ env, map, canSet }: MemoryAdviceParts): string | undefined {
  const isSet = Object.keys(env).some(name => name === 'GLIBC_TUNABLES' || name.startsWith('MALLOC_'));
  if (isSet || !map || !/\/libc(?:\.so\.6|-2\.\d+\.so)$/m.test(map)) return undefined;
  const node = canSet ? '' : ', or use Node 22.15 or later, which does that by itself';
  return `After hours of scans, this service can keep some hundred megabytes that it does not use. Set GLIBC_TUNABLES=${tunables} in its environment${node}.`;
}

/** This process's. */
export function memoryMap(): string | undefined {
  try {
    return readFileSync('/proc/self/maps', 'utf8');
  } catch {
    return undefined;
  }
}
