/** Bytes as a stored page. */
import { slices, type StoredPage } from '@platen/core';

export function storedBytes(
  bytes: Uint8Array,
  page: Partial<StoredPage['page']>,
  check: () => Promise<void> = async () => undefined,
): StoredPage {
  return {
    page: { format: 'Some', ...page } as StoredPage['page'],
    report: false,
    size: bytes.byteLength,
    sha256: '',
    delivered: false,
    isStored: true,
    check,
    words: async () => undefined,
    read: (sliceBytes, start, end) => slices(bytes.subarray(start, end), sliceBytes),
    deliver: () => {
      throw new Error('a picture of a page is not the page');
    },
    drop: () => undefined,
  };
}
