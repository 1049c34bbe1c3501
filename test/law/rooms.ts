/** The rooms of the house, as the laws speak of files: which one a path is in, and what kind of file it is. */
import { posix } from 'node:path';

export type Room = 'core' | 'plugins' | 'drivers' | 'server' | 'test' | 'scripts';

export function roomOf(path: string): Room {
  const [first = ''] = path.split('/');
  return first === 'core' || first === 'plugins' || first === 'drivers' || first === 'server' || first === 'test' ? first : 'scripts';
}

/** `core`, `plugins/barcode`, …; the clone itself for its scripts. */
export function packageOf(path: string): string {
  const room = roomOf(path);
  if (room === 'scripts') return '';
  return room === 'plugins' || room === 'drivers' ? path.split('/').slice(0, 2).join('/') : room;
}

/** Tests and what only they use: `a.test.ts`, `kit.test.kit.ts`, all of the room of whole-house tests. */
export function isTest(path: string): boolean {
  return roomOf(path) === 'test' || /\.test\./.test(posix.basename(path));
}

/** `@fastify/cors/x.js` is of `@fastify/cors`; undefined for a relative or a built-in one. */
export function packageNameOf(specifier: string): string | undefined {
  if (/^(?:\.|node:|file:|data:|#)/.test(specifier)) return undefined;
  return specifier.split('/').slice(0, specifier.startsWith('@') ? 2 : 1).join('/');
}
