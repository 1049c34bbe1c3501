/** The document format under the published suite. `npm test` and `npm run conformance` run it. */
import { defineSuites, type WrittenDocument } from '@platen/conformance';
import { imageFacts } from '@platen/core/plugin';
import { createFormat } from './cbz.js';
import { readZip } from './readZip.js';

// Yours: what another program sees in the document. Best, use a library that reads the format.
function readBack(bytes: Uint8Array): WrittenDocument {
  const files = [...readZip(bytes)];
  const [, info] = files.pop() ?? [];
  const title = /<Title>([^<]*)<\/Title>/.exec(String(info))?.[1];
  const pages = files.map(([name, file]) => {
    const facts = imageFacts(file);
    if (!facts?.isWhole) throw new Error(`${name} is not a whole image.`);
    const { width, height, density } = facts;
    return { width, height, dpi: Math.round(density?.x ?? 0), turn: 0 as const };
  });
  const text = title?.replace(/&#(\d+);/g, (_, code: string) => String.fromCodePoint(Number(code)));
  return { pages, ...(text !== undefined && { title: text }) };
}

export default defineSuites([
  {
    kind: 'document',
    name: 'Acme F100',
    async make() {
      const format = createFormat();
      return { format, readBack, dispose: () => format.close() };
    },
    // Yours: what your format has. The suite leaves out the rest.
    features: { pixels: false, lossy: false, text: false, title: true },
  },
]);
