/** Every link between documents leads to a file and a heading that exist. */
import { existsSync } from 'node:fs';
import { join, posix } from 'node:path';
import t from 'tap';
import { clone, pages, read, withoutBlocks } from './pages.js';

const withoutCode = (text: string): string => withoutBlocks(text).replaceAll(/`[^`\n]*`/g, '');

/** Targets of links and images that are no addresses. */
const linksOf = (text: string): string[] =>
  [...withoutCode(text).matchAll(/\]\(([^)\s]+)\)/g)]
    .map(([, target]) => target ?? '')
    .filter(target => !/^[a-z]+:/.test(target));

/** The anchors of a page's headings, as GitHub makes them. */
const anchorsOf = (text: string): string[] =>
  [...text.matchAll(/^#+ (.*)$/gm)].map(([, heading = '']) =>
    heading
      .toLowerCase()
      .replaceAll(/[^\p{L}\p{N}\s_-]/gu, '')
      .replaceAll(' ', '-'),
  );

t.test('documents: each relative link, target and heading exist', async t => {
  t.ok(pages.length > 40);
  const dead = pages.flatMap(page =>
    linksOf(read(page))
      .filter(link => {
        const [path = '', anchor] = link.split('#');
        const target = path === '' ? page : posix.join(posix.dirname(page), path);
        if (!existsSync(join(clone, target))) return true;
        return anchor !== undefined && !anchorsOf(read(target)).includes(anchor);
      })
      .map(link => `${page}: ${link}`),
  );
  t.same(dead, []);
});
