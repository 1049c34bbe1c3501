/** A scanner's XML as a tree: the sender is not trusted, so no document types, no entities, and limits on everything. */
import { lateRequire, messageOf } from '@platen/core/plugin';
import type * as xmlPackage from '@rgrove/parse-xml';
import type { XmlDocument, XmlElement } from '@rgrove/parse-xml';

const library = lateRequire<typeof xmlPackage>('@rgrove/parse-xml', import.meta.url);

/** Real devices send 4 to 30 KiB. */
export const MAX_XML_BYTES = 512 * 1024;
const MAX_DEPTH = 32;

export interface XmlNode {
  /** Without the spaces around it. */
  readonly text: string;
  readonly attributes: Readonly<Record<string, string>>;
  /** Children by local name: vendors' prefixes differ. */
  all(name: string): readonly XmlNode[];
  /** The first one. */
  one(name: string): XmlNode | undefined;
  /** The first descendant with this name, at any depth. */
  deep(name: string): XmlNode | undefined;
}

/**
 * @param root the local name that the root element must have
 * @throws Error that says what is wrong with the document
 */
export function readXml(bytes: Uint8Array, root: string): XmlNode {
  if (bytes.length > MAX_XML_BYTES) throw new Error(`its XML has ${bytes.length} bytes, more than ${MAX_XML_BYTES}`);
  const text = textOf(bytes);
  if (/<!(?:DOCTYPE|ENTITY)/i.test(text)) throw new Error('its XML has a document type declaration');
  const found = nodeOf(parsed(text), 0).one(root);
  if (!found) throw new Error(`its XML is not a ${root} document`);
  return found;
}

/** What XML does not allow at all, and some devices have in names. */
const forbidden = /[^\t\n\r\u0020-\ud7ff\ue000-\ufffd\u{10000}-\u{10ffff}]/gu;

/** Decoded by its byte order mark, else by its declaration, else as UTF-8; a forbidden character becomes a space. */
export function textOf(bytes: Uint8Array): string {
  const head = Buffer.from(bytes.subarray(0, 100)).toString('latin1');
  const declared = /^<\?xml[^>]*\sencoding=["'](?:iso-8859-1|latin1|windows-1252)["']/i.test(head)
    ? 'windows-1252'
    : 'utf-8';
  const encoding = head.startsWith('\xff\xfe') ? 'utf-16le' : head.startsWith('\xfe\xff') ? 'utf-16be' : declared;
  return new TextDecoder(encoding).decode(bytes).replace(forbidden, ' ');
}

/** A reference to an entity that XML does not define stays as it is. An error's other lines quote the document. */
function parsed(text: string): XmlDocument {
  try {
    return library().parseXml(text, { ignoreUndefinedEntities: true });
  } catch (error) {
    throw new Error(`its XML is not well-formed: ${messageOf(error).split('\n', 1)[0]}`, { cause: error });
  }
}

function nodeOf({ children, ...own }: XmlDocument | XmlElement, depth: number): XmlNode {
  if (depth > MAX_DEPTH) throw new Error(`its XML has elements within more than ${MAX_DEPTH} others`);
  const { XmlElement, XmlText } = library();
  const byName = new Map<string, XmlNode[]>();
  let text = '';
  for (const child of children) {
    if (child instanceof XmlText) text += child.text;
    if (!(child instanceof XmlElement)) continue;
    const name = localName(child.name);
    const node = nodeOf(child, depth + 1);
    const same = byName.get(name);
    if (same) same.push(node);
    else byName.set(name, [node]);
  }
  const attributes = 'attributes' in own ? Object.entries(own.attributes) : [];
  const node: XmlNode = {
    text: text.trim(),
    attributes: Object.fromEntries(attributes.map(([name, value]) => [localName(name), value.trim()])),
    all: name => byName.get(name) ?? [],
    one: name => byName.get(name)?.[0],
    deep(name) {
      const near = node.one(name);
      if (near) return near;
      for (const each of [...byName.values()].flat()) {
        const far = each.deep(name);
        if (far) return far;
      }
      return undefined;
    },
  };
  return node;
}

const localName = (name: string): string => name.slice(name.indexOf(':') + 1);

/** Text, escaped for an element. */
export function escaped(text: string): string {
  return text.replace(/[&<>]/g, each => (each === '&' ? '&amp;' : each === '<' ? '&lt;' : '&gt;'));
}
