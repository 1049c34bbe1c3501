/**
 * What the document says of itself, twice: in XMP, and in the information dictionary with the same values
 * (ISO 19005-2, 6.1.5 and 6.6).
 */
import type { DocumentOptions, DocumentPage } from '@platen/core/plugin';
import { dateString, textString } from './syntax.js';

const PRODUCER = 'Platen';

/**
 * Characters of all barcodes together, with what separates them: a string has up to 32,767 bytes (ISO 19005-2,
 * 6.1.13), two or four for each.
 */
const MOST_KEYWORDS = 8000;
const BETWEEN = '; ';

export interface Metadata {
  /** As it can be written; undefined if nothing is left of it. */
  readonly title: string | undefined;
  /**
   * Notes the texts of its barcodes: each once, in the order of the pages. One that no longer has room is left out.
   */
  add(page: DocumentPage): void;
  xmp(): string;
  /** The information dictionary. */
  info(): string;
}

export function createMetadata(options: DocumentOptions): Metadata {
  const { createdAt, barcodes: isAsked } = options;
  const title = cleanText(options.title ?? '') || undefined;
  const texts = new Set<string>();
  let length = 0;
  const joined = (): string | undefined => (texts.size > 0 ? [...texts].join(BETWEEN) : undefined);
  return {
    title,

    add({ barcodes }) {
      for (const { text } of isAsked ? barcodes : []) {
        const clean = cleanText(text);
        const longer = length + clean.length + (texts.size > 0 ? BETWEEN.length : 0);
        if (clean === '' || texts.has(clean) || longer > MOST_KEYWORDS) continue;
        texts.add(clean);
        length = longer;
      }
    },
    xmp: () => xmpOf(title, [...texts], joined(), createdAt),
    info: () => infoOf(title, joined(), createdAt),
  };
}

function infoOf(title: string | undefined, keywords: string | undefined, createdAt: number): string {
  const entries = [
    title !== undefined && `/Title ${textString(title)}`,
    keywords !== undefined && `/Keywords ${textString(keywords)}`,
    `/Producer (${PRODUCER})`,
    `/CreationDate ${dateString(createdAt)}`,
  ];
  return `<< ${entries.filter(isThere).join(' ')} >>`;
}

function xmpOf(
  title: string | undefined,
  subjects: readonly string[],
  keywords: string | undefined,
  createdAt: number,
): string {
  const date = new Date(createdAt).toISOString().replace(/\.\d+Z$/, 'Z');
  const item = (text: string): string => `<rdf:li>${xml(text)}</rdf:li>`;
  const isDescribed = title !== undefined || subjects.length > 0;
  const attributes = [
    'rdf:about=""',
    isDescribed && 'xmlns:dc="http://purl.org/dc/elements/1.1/"',
    'xmlns:pdf="http://ns.adobe.com/pdf/1.3/"',
    'xmlns:pdfaid="http://www.aiim.org/pdfa/ns/id/"',
    'xmlns:xmp="http://ns.adobe.com/xap/1.0/"',
    'pdfaid:part="2" pdfaid:conformance="B"',
    `pdf:Producer="${PRODUCER}"`,
    keywords !== undefined && `pdf:Keywords="${xml(keywords)}"`,
    `xmp:CreateDate="${date}"`,
  ];
  const elements = [
    title !== undefined &&
      `<dc:title><rdf:Alt><rdf:li xml:lang="x-default">${xml(title)}</rdf:li></rdf:Alt></dc:title>`,
    subjects.length > 0 && `<dc:subject><rdf:Bag>${subjects.map(item).join('')}</rdf:Bag></dc:subject>`,
  ];
  const body = elements.filter(isThere).join('\n');
  return [
    '<?xpacket begin="\ufeff" id="W5M0MpCehiHzreSzNTczkc9d"?>',
    '<x:xmpmeta xmlns:x="adobe:ns:meta/"><rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#">',
    `<rdf:Description ${attributes.filter(isThere).join(' ')}>${body}</rdf:Description>`,
    '</rdf:RDF></x:xmpmeta>',
    '<?xpacket end="r"?>',
  ].join('\n');
}

const isThere = (each: string | false): each is string => each !== false;

/**
 * Text that both places can hold: control characters become spaces, as XML takes none, and halves of characters
 * U+FFFD.
 */
function cleanText(text: string): string {
  return Buffer.from(text, 'utf8')
    .toString('utf8')
    .replace(/[\p{Cc}\ufffe\uffff]+/gu, ' ')
    .trim();
}

function xml(text: string): string {
  return text.replace(/[&<>"]/g, each => ({ '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' })[each]!);
}
