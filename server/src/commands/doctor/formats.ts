/** Whether the image formats can encode: their libraries are loaded with the first page only. */
import { plainWordsOf, type Format, type RawPage } from '@platen/core';

/** White, 8 x 8. */
const page: RawPage = {
  kind: 'raw',
  sheet: 1,
  side: 'front',
  pixels: 'rgb24',
  width: 8,
  height: 8,
  dpi: 300,
  stride: 24,
  data: new Uint8Array(8 * 24).fill(255),
};
const QUALITY = 90;
const LIMIT_MS = 30_000;

/** @returns a sentence for each format that cannot, with what to do */
export async function formatFaults(formats: readonly Format[]): Promise<string[]> {
  const faults = await Promise.all(
    formats.map(async format => {
      try {
        await format.encode(
          { ...page, data: page.data.slice() },
          { quality: QUALITY },
          { signal: AbortSignal.timeout(LIMIT_MS) },
        );
        return [];
      } catch (error) {
        return [`The format ${format.name} cannot encode (${plainWordsOf(error)}). Install its plugin again.`];
      }
    }),
  );
  return faults.flat();
}
