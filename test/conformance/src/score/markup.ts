/** Escaping for XML and HTML, and for Markdown. */

/** Characters that XML does not allow, such as those that colour a terminal, are left out. */
// oxlint-disable-next-line no-control-regex -- they are what is looked for
const notXml = /\u001b\[[\d;]*m|[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]|\p{Cs}/gu;

const entities: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

/** For text and for values of attributes in quotes. */
export function escaped(text: string): string {
  return text.replace(notXml, '').replace(/[&<>"']/g, character => entities[character] ?? '');
}

/** For one cell of a table: no line ends, no markup. */
export function markdownCell(text: string): string {
  return text
    .replace(notXml, '')
    .replace(/\s+/g, ' ')
    .replace(/[\\`*_[\]|~#$]/g, '\\$&')
    .replace(/[&<>]/g, character => entities[character] ?? '')
    .trim();
}
