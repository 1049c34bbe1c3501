/** The catalogues of all languages, compared with English and with the source that says their sentences. */
import { readdirSync, readFileSync } from 'node:fs';
import t from 'tap';
import type { Message } from './en.js';
import { languages } from './languages.js';

type Sentences = Readonly<Record<string, Message>>;

const here = new URL('.', import.meta.url);
const root = new URL('../../../../../', here);
const pages = ['app', 'origins', 'settings'];
const ofPages = pages.map(page => new URL(`server/web/dist/${page}/words/`, root));
const ofKeys = new URL('../keys/words/', here);

/** By language: its file, that of the list of keys, and those of the service's pages that have their own. */
const all = new Map<string, Sentences>();
const sizes = new Map<string, number>();
for (const tag of languages) {
  const files = [here, ofKeys, ...ofPages].map(folder => new URL(`${tag}.js`, folder).href);
  const modules = await Promise.all(files.map(file => import(file) as Promise<Record<string, Sentences>>));
  const catalogues = modules.map(module => module[tag] ?? {});
  all.set(tag, Object.assign({}, ...catalogues) as Sentences);
  sizes.set(
    tag,
    catalogues.reduce((sum, each) => sum + Object.keys(each).length, 0),
  );
}
const english = all.get('en') ?? {};

const formsOf = (message: Message): readonly (readonly [string, string])[] =>
  typeof message === 'string' ? [['', message]] : Object.entries(message);
const placeholdersIn = (text: string): string[] => [...new Set(text.match(/\{\w+\}/g) ?? [])].sort();

t.test('catalogues: every language has the keys of English', async t => {
  t.ok(Object.keys(english).length > 200);
  for (const [tag, sentences] of all) t.same(Object.keys(sentences).sort(), Object.keys(english).sort(), tag);
});

t.test('catalogues: each form of a sentence has the placeholders of the English one', async t => {
  for (const [tag, sentences] of all)
    for (const [key, message] of Object.entries(sentences)) {
      const [, original = ''] = formsOf(english[key] ?? '').at(-1) ?? [];
      const wanted = placeholdersIn(original);
      for (const [form, text] of formsOf(message)) {
        const given = placeholdersIn(text);
        // "One page", "No page": a form of few numbers may say them in words.
        const mayOmit = ['zero', 'one', 'two'].includes(form);
        const missing = wanted.filter(each => !given.includes(each) && !(mayOmit && each === '{count}'));
        const unknown = given.filter(each => !wanted.includes(each));
        if (missing.length + unknown.length > 0) t.fail(`${tag}, ${key} ${form}: ${text}`);
      }
    }
});

t.test('catalogues: every plural form that a language has, and no other', async t => {
  for (const [tag, sentences] of all) {
    const forms = new Intl.PluralRules(tag).resolvedOptions().pluralCategories.toSorted();
    for (const [key, message] of Object.entries(sentences)) {
      if (typeof message !== 'string') t.same(Object.keys(message).sort(), forms, `${tag}, ${key}`);
      else if (placeholdersIn(message).includes('{count}') && typeof english[key] !== 'string')
        t.fail(`${tag}, ${key}: a sentence with a count has no plural forms`);
    }
  }
});

t.test('catalogues: no sentence is empty, or has white space around it', async t => {
  for (const [tag, sentences] of all)
    for (const [key, message] of Object.entries(sentences))
      for (const [form, text] of formsOf(message))
        if (text === '' || text !== text.trim()) t.fail(`${tag}, ${key} ${form}: "${text}"`);
});

/** What says the sentences: of the component, of the client module, and of the service's pages. */
function sources(): string {
  const folders = ['clients/web/src/', ...[...pages, 'shared'].map(page => `server/web/${page}/`)].map(
    path => new URL(path, root),
  );
  return folders
    .flatMap(folder =>
      readdirSync(folder, { recursive: true, encoding: 'utf8' })
        .map(name => name.replaceAll('\\', '/'))
        .filter(name => /\.(?:ts|html)$/.test(name) && !name.includes('.test.') && !/(?:^|\/)words\//.test(name))
        .map(name => readFileSync(new URL(name, folder), 'utf8')),
    )
    .join('\n');
}

const escaped = (text: string): string => text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');

t.test('catalogues: pages of the service have their own, and no key is in two', async t => {
  for (const key of ['origins.title', 'settings.title', 'about.title', 'keys.title']) t.ok(key in english);
  for (const [tag, sentences] of all) t.equal(sizes.get(tag), Object.keys(sentences).length, tag);
});

t.test('catalogues: each key is used in the source', async t => {
  const source = sources();
  const areas = new Set(Object.keys(english).map(key => key.split('.')[0]));
  // `error.${code}.title`: the keys that it can give are those whose filling the source has as a word.
  const patterns = [...source.matchAll(/`((?:[\w-]+)\.[\w.-]*(?:\$\{[^`}]*\}[\w.-]*)+)`/g)]
    .map(([, text = '']) => text)
    .filter(text => areas.has(text.split('.')[0]))
    .map(
      text =>
        new RegExp(
          `^${text
            .split(/\$\{[^}]*\}/)
            .map(escaped)
            .join('([\\w-]+)')}$`,
        ),
    );
  t.ok(patterns.length > 10);
  const isWord = (text: string): boolean => new RegExp(`(?<![\\w-])${escaped(text)}(?![\\w-])`).test(source);
  const isUsed = (key: string): boolean =>
    ["'", '"', '`'].some(quote => source.includes(quote + key + quote)) ||
    patterns.some(pattern => pattern.exec(key)?.slice(1).every(isWord));
  t.same(
    Object.keys(english).filter(key => !isUsed(key)),
    [],
  );
  t.notOk(isUsed('settings.nobodySaysThis'));
  t.notOk(isUsed('error.nobody-says-this.title'));
});
