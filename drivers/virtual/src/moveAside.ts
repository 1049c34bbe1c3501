/** Moves a file into a folder under a name that is free there. */
import { open, rename, rm } from 'node:fs/promises';
import { extname, join } from 'node:path';

/** Every file system supports names of this many bytes. */
const MAX_NAME_BYTES = 140;

/** Renames a file into a folder under a free name. The name is reserved first, since renaming overwrites. */
export async function moveAside(file: string | Buffer, folder: string, name: string): Promise<string> {
  for (let n = 1; ; n++) {
    const free = numbered(name, n);
    const target = join(folder, free);
    try {
      await (await open(target, 'wx')).close();
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === 'EEXIST') continue;
      throw error;
    }
    try {
      await rename(file, target);
      return free;
    } catch (error) {
      await rm(target, { force: true });
      throw error;
    }
  }
}

/** The name with a number, `page (2).png`; it never becomes longer than a file system may support. */
function numbered(name: string, n: number): string {
  const extension = Buffer.byteLength(extname(name)) > 20 ? '' : extname(name);
  const tail = n === 1 ? extension : ` (${n})${extension}`;
  const max = Math.max(MAX_NAME_BYTES, Math.min(Buffer.byteLength(name), 255)) - Buffer.byteLength(tail);
  let stem = name.slice(0, name.length - extension.length);
  while (Buffer.byteLength(stem) > max) stem = [...stem].slice(0, -1).join('');
  return stem + tail;
}
