/** Reads files out of what `npm pack` made: a gzipped tar archive whose entries are below `package/`. */
import { gunzipSync } from 'node:zlib';
import { StepError } from '../step.mjs';

const block = 512;

/**
 * @param {Buffer} data the archive
 * @returns {Map<string, Buffer>} path within the package → content; files only
 */
export function filesOf(data) {
  const tar = gunzipSync(data);
  const files = new Map();
  let longName;
  for (let at = 0; at + block <= tar.length && tar[at] !== 0;) {
    const text = (from, length) => tar.toString('utf8', at + from, at + from + length).replace(/\0.*$/s, '');
    const size = Number.parseInt(text(124, 12), 8);
    const content = tar.subarray(at + block, at + block + size);
    const type = text(156, 1);
    // POSIX: an "x" entry gives the next entry's long path, as "<length> path=<value>\n".
    if (type === 'x') longName = /^\d+ path=(.*)$/m.exec(content.toString('utf8'))?.[1];
    else {
      const prefix = text(345, 155);
      const name = longName ?? (prefix ? `${prefix}/${text(0, 100)}` : text(0, 100));
      longName = undefined;
      if (type === '0' || type === '') files.set(name.replace(/^[^/]+\//, ''), content);
    }
    at += block + Math.ceil(size / block) * block;
  }
  return files;
}

/** @returns its package.json, parsed */
export function manifestOf(data, file) {
  const manifest = filesOf(data).get('package.json');
  if (!manifest) throw new StepError(`${file} is no package: it has no package.json.`);
  return JSON.parse(manifest.toString('utf8'));
}
