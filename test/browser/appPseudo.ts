/** The page at /app/ in a language that nobody speaks: every sentence of the catalogue is in ⟦ ⟧, every other text is not. */
import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { build, type BuildOptions, type Plugin } from 'esbuild';
import type { BrowserContext, Page } from 'playwright-core';

const component = fileURLToPath(new URL('src/component.ts', import.meta.resolve('@platen/client/package.json')));
/** Those of the page beside the component's. */
const pageWords = fileURLToPath(new URL('web/app/words/en.ts', import.meta.resolve('@platen/server/package.json')));

const wrapped = `
const inBrackets = message => typeof message === 'string' ? '⟦' + message + '⟧' :
  Object.fromEntries(Object.entries(message).map(([form, text]) => [form, inBrackets(text)]));
const pseudo = sentences => Object.fromEntries(Object.entries(sentences).map(([key, message]) => [key, inBrackets(message)]));
`;

/** English, each sentence in brackets. */
const inBrackets: Plugin = {
  name: 'in-brackets',
  setup({ onLoad }) {
    onLoad({ filter: /(?:component|app)[\\/]words[\\/]en\.[jt]s$/ }, async ({ path }) => {
      const source = await readFile(path, 'utf8');
      return {
        contents: [
          wrapped,
          source.replace(/^export const en =/m, 'const plain ='),
          'export const en = pseudo(plain);',
        ].join('\n'),
        loader: path.endsWith('.ts') ? 'ts' : 'js',
      };
    });
  },
};

const options = {
  bundle: true,
  write: false,
  format: 'esm',
  platform: 'browser',
  target: 'es2022',
  define: { servedByPlaten: 'true' },
  loader: { '.css': 'text' },
  plugins: [inBrackets],
} satisfies BuildOptions;

/** Pages of this browser get a component whose words are in brackets. */
export async function speakPseudo(context: BrowserContext): Promise<void> {
  const bundled = async (entry: string): Promise<string> =>
    (await build({ ...options, entryPoints: [entry] })).outputFiles[0]?.text ?? '';
  const body = await bundled(component);
  const ofPage = await bundled(pageWords);
  await context.route('**/component.js', route => route.fulfill({ contentType: 'text/javascript', body }));
  await context.route('**/app/en-*.js', route => route.fulfill({ contentType: 'text/javascript', body: ofPage }));
  await context.addInitScript(keepAnnounced);
}

/** What screen readers were told stays in the element only for a moment. */
const keepAnnounced = `
  const announced = (globalThis.announced = new Set());
  addEventListener('DOMContentLoaded', () => {
    const { shadowRoot } = document.querySelector('platen-scan');
    new MutationObserver(() => announced.add(shadowRoot.querySelector('#announcer')?.textContent ?? ''))
      .observe(shadowRoot, { subtree: true, childList: true, characterData: true });
  });`;

export interface Said {
  readonly text: string;
  /** Such as `button#scan`. */
  readonly place: string;
}

const attributes = [
  'aria-label',
  'aria-valuetext',
  'aria-description',
  'aria-roledescription',
  'title',
  'placeholder',
  'alt',
  'label',
];

/** Proper names, and words of whoever made a driver or a plugin. */
const data = [
  'script',
  'style',
  'noscript',
  '.brand',
  '#language',
  // Fields of file names, the same in every language.
  'code',
  // Barcodes and text of a page.
  '.code-text',
  '.viewer-codes',
  'pre.read',
  ...['option', 'process', 'recognise', 'reader'].flatMap(kind => [
    `[id^="control-${kind}"]`,
    `[for^="control-${kind}"]`,
  ]),
];

/** Every text that the page has for a person, shown or not, except data, and sentences of the service. */
export async function textsOf(page: Page): Promise<readonly Said[]> {
  return page.evaluate<Said[]>(`(() => {
    const found = [];
    const isData = element => {
      const spoken = element.closest('[lang]');
      const isService = spoken?.lang === 'en' && !spoken.matches('html, .scan-dialog, dialog, #announcer');
      return isService || element.closest(${JSON.stringify(data.join())}) !== null;
    };
    const placeOf = ({ localName, id, className }) =>
      localName + (id ? '#' + id : typeof className === 'string' && className ? '.' + className.trim().replace(/\\s+/g, '.') : '');
    const say = (element, text, more = '') => {
      if (text.trim() && !isData(element)) found.push({ text: text.trim().replace(/\\s+/g, ' '), place: placeOf(element) + more });
    };
    const visit = root => {
      for (const element of root.querySelectorAll('*')) {
        for (const name of ${JSON.stringify(attributes)}) say(element, element.getAttribute(name) ?? '', ' ' + name);
        for (const child of element.childNodes) if (child.nodeType === Node.TEXT_NODE) say(element, child.data);
        if (element.shadowRoot) visit(element.shadowRoot);
      }
    };
    visit(document);
    say(document.documentElement, document.title, ' title');
    for (const text of announced) if (text) found.push({ text, place: 'announced' });
    return found;
  })()`);
}

/** Without what is in brackets. Values in a sentence may be sentences themselves. */
export function outside(text: string): string {
  const next = text.replaceAll(/⟦[^⟦⟧]*⟧/g, ' ');
  return next === text ? text : outside(next);
}
