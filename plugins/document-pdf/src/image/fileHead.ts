/** The begin of a page's file, as much as its header needs; the rest is read slice by slice. */
import { ScanError, type DocumentPage } from '@platen/core/plugin';

/** Longer headers are damaged: they would be kept in memory. */
const MOST_HEAD_BYTES = 4 * 1024 * 1024;

export interface FileHead<Header> {
  readonly header: Header;
  /** The whole file, once. */
  all(): AsyncGenerator<Uint8Array, void>;
}

/**
 * Reads until the header is known. The file is closed if nothing of `all` is requested: only then it is open again.
 * @param read undefined while the head is too short
 * @throws `storage-failed` if the file ends before, and what `read` throws
 */
export async function fileHead<Header>(
  page: DocumentPage,
  read: (head: Buffer) => Header | undefined,
): Promise<FileHead<Header>> {
  const slices: Uint8Array[] = [];
  let [bytes, enough] = [0, 0];
  const tried = (): Header | undefined => read(Buffer.concat(slices));
  const found = (header: Header): FileHead<Header> => ({ header, all: () => whole(page) });
  for await (const slice of page.read()) {
    // The next request may overwrite it.
    slices.push(new Uint8Array(slice));
    bytes += slice.length;
    if (bytes < enough) continue;
    // With twice as much the next time, reading it again and again takes no longer than reading it twice.
    enough = bytes * 2;
    const header = tried();
    if (header !== undefined) return found(header);
    if (bytes > MOST_HEAD_BYTES) throw damaged(page, 'its header does not end');
  }
  const header = tried();
  if (header !== undefined) return found(header);
  throw damaged(page, 'its header is not complete');
}

async function* whole(page: DocumentPage): AsyncGenerator<Uint8Array, void> {
  let bytes = 0;
  for await (const slice of page.read()) {
    bytes += slice.length;
    yield slice;
  }
  if (bytes !== page.size) throw damaged(page, `it has ${bytes} bytes, not ${page.size}`);
}

/** A page's file that does not hold its image. */
export function damaged({ pageNumber, mimeType }: DocumentPage, why: string): ScanError {
  const kind = mimeType.replace('image/', '').toUpperCase();
  return new ScanError('storage-failed', `The ${kind} file of page ${pageNumber} is damaged: ${why}.`);
}
