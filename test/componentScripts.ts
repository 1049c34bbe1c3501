/** The scripts that a page with `<platen-scan>` loads at once: all but the viewer, the preview, and languages other than English. */
import { readFileSync } from 'node:fs';

/** kB that they may have, gzipped. */
export const COMPONENT_KB = 70;

const build = new URL('build/', import.meta.resolve('@platen/client/package.json'));
/** Between the words of a minified import; a dynamic one has a bracket. */
const imported = /\b(?:from|import)\s*"([^"]+\.js)"/g;

export function componentScripts(): readonly Buffer[] {
  const found = new Map<string, Buffer>();
  const add = (url: URL): void => {
    if (found.has(url.href)) return;
    const script = readFileSync(url);
    found.set(url.href, script);
    for (const [, path = ''] of script.toString().matchAll(imported)) add(new URL(path, url));
  };
  add(new URL('component.js', build));
  return [...found.values()];
}
