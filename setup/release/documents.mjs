/** The documents of a published package: what they link to is in the package, or in the repository at the version's tag. */
import { existsSync, statSync } from 'node:fs';
import { join, posix } from 'node:path';
import { root } from '../step.mjs';
import { webUrl } from './repository.mjs';

/** A fenced block, a span of code, or the target of a link or an image with what stands before it. */
const parts = /^ *```[\s\S]*?^ *```|`[^`\n]*`|(!?)(\[[^\]]*\]\()([^)\s]+)(\))/gm;

/**
 * @param {object} options
 * @param {string} options.text Markdown
 * @param {string} options.from the document's path in the repository
 * @param {string} options.folder the package's path in the repository
 * @param {string[]} options.files that are packed, relative to the package
 * @param {string} options.version the tag is v<version>
 * @returns {string} the text, with links to what is not packed made absolute
 * @throws {Error} if a link leads nowhere
 */
export function absoluteLinks({ text, from, folder, files, version }) {
  return text.replace(parts, (whole, image, before, target, after) => {
    if (target === undefined || /^([a-z]+:|#)/.test(target)) return whole;
    const [path, anchor] = target.split('#');
    const found = posix.join(posix.dirname(from), path);
    if (found.startsWith('../') || !existsSync(join(root, found))) {
      throw new Error(`${from}: the link ${target} leads to nothing in the repository.`);
    }
    if (files.includes(posix.relative(folder, found))) return whole;
    const kind = image ? 'raw' : statSync(join(root, found)).isDirectory() ? 'tree' : 'blob';
    const absolute = `${webUrl}/${kind}/v${version}/${found}${anchor === undefined ? '' : `#${anchor}`}`;
    return `${image}${before}${absolute}${after}`;
  });
}
