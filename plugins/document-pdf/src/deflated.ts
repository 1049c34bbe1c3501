/** Data compressed with zlib, in its own threads, for the filter `FlateDecode`. */
import { promisify } from 'node:util';
import { deflate } from 'node:zlib';

const run = promisify(deflate);

/** Small data, such as text: as small as it gets. */
export async function deflated(data: Uint8Array): Promise<Buffer> {
  return run(data, { level: 9 });
}
