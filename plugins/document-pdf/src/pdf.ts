/** PDF documents: PDF/A-2b, written page by page. */
import type { DocumentFormat, DocumentOptions, DocumentPage } from '@platen/core/plugin';
import { createG4Encoder, type G4Encoder } from './g4/g4Encoder.js';
import { createMetadata, type Metadata } from './metadata.js';
import { outputIntent } from './outputIntent.js';
import { createPageTree, type PageTree } from './pageTree.js';
import { createPageWriter } from './pageWriter.js';
import { createPdfFile, type PdfFile } from './pdfFile.js';
import { reference, textString } from './syntax.js';
import { createTextLayer, type TextLayer } from './text/layer.js';

export function pdfFormat(g4: G4Encoder = createG4Encoder()): DocumentFormat {
  return {
    name: 'Pdf',
    mimeType: 'application/pdf',
    extension: 'pdf',

    async *write(pages, options, { signal }) {
      signal.throwIfAborted();
      for await (const chunk of written(pages, options, g4, signal)) {
        signal.throwIfAborted();
        yield chunk;
        signal.throwIfAborted();
      }
    },
  };
}

async function* written(
  pages: AsyncIterable<DocumentPage>,
  options: DocumentOptions,
  g4: G4Encoder,
  signal: AbortSignal,
): AsyncGenerator<Uint8Array, void> {
  const file = createPdfFile();
  const tree = createPageTree(file);
  const text = createTextLayer(file.reserve);
  const metadata = createMetadata(options);
  const writer = createPageWriter(file, tree, text, g4);
  for await (const page of pages) {
    signal.throwIfAborted();
    metadata.add(page);
    yield* writer.write(page, signal);
  }
  yield* ending(file, tree, text, metadata, options);
}

async function* ending(
  file: PdfFile,
  tree: PageTree,
  text: TextLayer,
  metadata: Metadata,
  { language }: DocumentOptions,
): AsyncGenerator<Uint8Array, void> {
  const { root, written: nodes } = tree.end();
  yield Buffer.concat(nodes);
  for (const { object, value, data } of await text.fontObjects())
    yield data ? file.stream(object, value, data) : file.object(object, value);
  const intent = await outputIntent(file);
  const [catalog, xmp, info] = [file.reserve(), file.reserve(), file.reserve()];
  const entries = [
    `/Type /Catalog /Pages ${reference(root)} /Metadata ${reference(xmp)}`,
    intent.entry,
    // Without a title, the window's would be empty.
    ...(metadata.title === undefined ? [] : ['/ViewerPreferences << /DisplayDocTitle true >>']),
    ...(language === undefined ? [] : [`/Lang ${textString(language)}`]),
  ];
  yield Buffer.concat([
    intent.written,
    file.stream(xmp, '/Type /Metadata /Subtype /XML', Buffer.from(metadata.xmp())),
    file.object(info, metadata.info()),
    file.object(catalog, `<< ${entries.join(' ')} >>`),
    await file.end(catalog, info),
  ]);
}
