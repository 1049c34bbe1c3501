/** A scanner's XML as a tree: the sender is not trusted, so no document types, no entities, and limits on everything. */
import { XMLParser, XMLValidator } from 'fast-xml-parser';

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

const parser = new XMLParser({
  ignoreAttributes: false,
  attributeNamePrefix: '@',
  attributesGroupName: false,
  removeNSPrefix: true,
  parseTagValue: false,
  parseAttributeValue: false,
  processEntities: false,
  ignoreDeclaration: true,
  ignorePiTags: true,
  maxNestedTags: MAX_DEPTH,
  isArray: (_name, _path, _leaf, isAttribute) => !isAttribute,
});

/**
 * @param root the local name that the root element must have
 * @throws Error that says what is wrong with the document
 */
export function readXml(bytes: Uint8Array, root: string): XmlNode {
  if (bytes.length > MAX_XML_BYTES) throw new Error(`its XML has ${bytes.length} bytes, more than ${MAX_XML_BYTES}`);
  const text = textOf(bytes);
  if (/<!(?:DOCTYPE|ENTITY)/i.test(text)) throw new Error('its XML has a document type declaration');
  const valid = XMLValidator.validate(text);
  if (valid !== true) throw new Error(`its XML is not well-formed: ${valid.err.msg} (line ${valid.err.line})`);
  const parsed: unknown = parser.parse(text);
  const found = nodeOf(parsed).one(root);
  if (!found) throw new Error(`its XML is not a ${root} document`);
  return found;
}

/** Decoded by its byte order mark, else by its declaration, else as UTF-8. */
function textOf(bytes: Uint8Array): string {
  const head = Buffer.from(bytes.subarray(0, 100)).toString('latin1');
  const declared = /^<\?xml[^>]*\sencoding=["'](?:iso-8859-1|latin1|windows-1252)["']/i.test(head)
    ? 'windows-1252'
    : 'utf-8';
  const encoding = head.startsWith('\xff\xfe') ? 'utf-16le' : head.startsWith('\xfe\xff') ? 'utf-16be' : declared;
  return new TextDecoder(encoding).decode(bytes);
}

function nodeOf(value: unknown): XmlNode {
  const fields = Object.entries(typeof value === 'object' && value !== null ? value : {});
  const children = new Map(
    fields
      .filter(([name]) => !name.startsWith('@') && name !== '#text')
      .map(([name, each]) => [name, (Array.isArray(each) ? each : [each]).map(nodeOf)]),
  );
  const own = typeof value === 'string' ? value : fields.find(([name]) => name === '#text')?.[1];
  const node: XmlNode = {
    text: unescaped(typeof own === 'string' ? own : ''),
    attributes: Object.fromEntries(
      fields.filter(([name]) => name.startsWith('@')).map(([name, each]) => [name.slice(1), unescaped(String(each))]),
    ),
    all: name => children.get(name) ?? [],
    one: name => children.get(name)?.[0],
    deep(name) {
      const near = node.one(name);
      if (near) return near;
      for (const each of [...children.values()].flat()) {
        const far = each.deep(name);
        if (far) return far;
      }
      return undefined;
    },
  };
  return node;
}

const escapes: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'" };

/** Replaces the five predefined entities and character references; any other stays as it is. */
function unescaped(text: string): string {
  return text
    .trim()
    .replace(
      /&(?:(amp|lt|gt|quot|apos)|#(\d{1,6})|#x([\da-f]{1,5}));/gi,
      (_, name?: string, decimal?: string, hex?: string) => {
        if (name !== undefined) return escapes[name.toLowerCase()] ?? '';
        return String.fromCodePoint(
          Math.min(decimal === undefined ? parseInt(hex ?? '', 16) : Number(decimal), 0x10ffff),
        );
      },
    );
}

/** Text, escaped for an element. */
export function escaped(text: string): string {
  return text.replace(/[&<>]/g, each => (each === '&' ? '&amp;' : each === '<' ? '&lt;' : '&gt;'));
}
