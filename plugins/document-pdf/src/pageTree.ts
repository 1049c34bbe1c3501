/**
 * The tree of pages (ISO 32000-1, 7.7.3): balanced, though nobody knows yet how many pages there will be.
 *
 * A page names its node, which is written once it is full and another page comes. A full node gets a parent then, a
 * level higher, which may be open still. At most one node a level is open. So the last one, at the top, is the root.
 */
import type { PdfFile } from './pdfFile.js';
import { reference, type ObjectNumber } from './syntax.js';

/** Children of a node: 10,000 pages are three levels. */
const MOST_CHILDREN = 64;

interface Node {
  readonly object: ObjectNumber;
  readonly children: ObjectNumber[];
  /** Pages below it. */
  pages: number;
}

export interface PageTree {
  /** Takes the next page. @returns its node, and what is to be written first */
  add(page: ObjectNumber): { readonly parent: ObjectNumber; readonly written: readonly Buffer[] };
  /** @returns the root, and what is to be written */
  end(): { readonly root: ObjectNumber; readonly written: readonly Buffer[] };
}

export function createPageTree(file: PdfFile): PageTree {
  /** By level; the pages' nodes first. */
  const open: Node[] = [];
  let written: Buffer[] = [];

  function attach(child: ObjectNumber, pages: number, level: number): ObjectNumber {
    if (open[level]?.children.length === MOST_CHILDREN) {
      const full = open[level];
      write(full, attach(full.object, full.pages, level + 1));
      open[level] = { object: file.reserve(), children: [], pages: 0 };
    }
    const node = (open[level] ??= { object: file.reserve(), children: [], pages: 0 });
    node.children.push(child);
    node.pages += pages;
    return node.object;
  }

  function write({ object, children, pages }: Node, parent?: ObjectNumber): void {
    const kids = children.map(reference).join(' ');
    const above = parent === undefined ? '' : ` /Parent ${reference(parent)}`;
    written.push(file.object(object, `<< /Type /Pages${above} /Count ${pages} /Kids [${kids}] >>`));
  }

  function taken(): readonly Buffer[] {
    const all = written;
    written = [];
    return all;
  }

  return {
    add: page => ({ parent: attach(page, 1, 0), written: taken() }),

    end() {
      for (let level = 0; level < open.length - 1; level++) {
        const node = open[level]!;
        write(node, attach(node.object, node.pages, level + 1));
      }
      const root = open.at(-1)!;
      write(root);
      return { root: root.object, written: taken() };
    },
  };
}
