/**
 * A device's XML for a trace: its elements, its numbers and the words of eSCL stay; every other text, such as a serial
 * number, a name or an address, is removed. It works on the characters, so that what is wrong with a document stays wrong.
 */

/** Elements whose texts are words of eSCL, or names that all devices of a model share. */
const kept = new Set(
  `Version MakeAndModel ModelName Manufacturer UUID State AdfState JobUri JobUuid JobState JobStateReason
  ColorMode ContentType Intent DocumentFormat DocumentFormatExt XImagePosition YImagePosition ContentRegionUnits
  ColorSpace MediaType CcdChannel BinaryRendering Duplex AdfOption InputSource FeedDirection Edge`.split(/\s+/),
);

/** A short number or a switch says nothing about who has the device, unless the element is one of these. */
const isPlain = (text: string): boolean => /^[-+]?\d{1,6}(?:\.\d{1,6})?$|^(?:true|false)$/.test(text);
const isPrivate = (name: string): boolean => /serial|pin|pass|code|user|owner|location/i.test(name);

const REMOVED = '(removed)';

export function tracedXml(text: string): string {
  let element = '';
  return text.replace(
    /<!--[\s\S]*?(?:-->|$)|<!\[CDATA\[([\s\S]*?)(?:\]\]>|$)|<[^>]*(?:>|$)|[^<]+/g,
    (token: string, cdata?: string) => {
      if (token.startsWith('<!--')) return '';
      if (cdata !== undefined) return textOf(cdata, element);
      if (!token.startsWith('<')) return textOf(token, element);
      element = token.startsWith('</') ? '' : (/^<(?:[\w.-]+:)?([\w.-]+)/.exec(token)?.[1] ?? '');
      return tagOf(token);
    },
  );
}

function textOf(text: string, element: string): string {
  const trimmed = text.trim();
  if (trimmed === '' || kept.has(element)) return text;
  return isPlain(trimmed) && !isPrivate(element) ? text : text.replace(trimmed, () => REMOVED);
}

function tagOf(tag: string): string {
  if (tag.startsWith('<!')) return tag.endsWith('>') ? '<!DOCTYPE removed>' : '<!DOCTYPE removed';
  const [, start = '<', name = ''] = /^(<[/?]?)([\w.:-]*)/.exec(tag) ?? [];
  const attributes = [...tag.matchAll(/\s([\w.:-]+)\s*=\s*("[^"]*"|'[^']*')/g)].map(
    ([, key = '', value = '']) => ` ${key}=${isOfFormat(key, value.slice(1, -1)) ? value : `"${REMOVED}"`}`,
  );
  const [end = ''] = /[/?]?>$/.exec(tag) ?? [];
  return `${start}${name}${attributes.join('')}${end}`;
}

/** Namespaces, versions, and the names by which setting profiles refer to each other. */
const isOfFormat = (key: string, value: string): boolean =>
  /^xmlns(?::|$)/.test(key)
    ? /^(?:https?:\/\/(?:www\.|schemas\.)?[a-z0-9.-]+\.(?:org|com)\/[\w./-]*|urn:[\w:.-]+)$/.test(value)
    : /^(?:version|encoding|name|ref|[\w]+:(?:name|ref))$/.test(key) && /^[\w.-]{1,16}$/.test(value);
