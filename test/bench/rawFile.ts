/** Raw pages on disk, which the system has in its page cache after the first time. */
import { open } from 'node:fs/promises';

/** In one read: `readFile` takes fifty for a page. @throws where the file has not that many bytes */
export async function readRaw(path: string, bytes: number): Promise<Uint8Array> {
  const file = await open(path);
  try {
    const data = Buffer.allocUnsafeSlow(bytes);
    const { bytesRead } = await file.read(data, 0, bytes, 0);
    if (bytesRead !== bytes) throw new RangeError(`${path} has ${bytesRead} bytes, not ${bytes}.`);
    return data;
  } finally {
    await file.close();
  }
}
